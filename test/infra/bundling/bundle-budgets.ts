import type { Metafile } from 'esbuild'

/**
 * Most bytes that a function's bundle may have, in KB (1,000 bytes), by the AWS clients in it: they make most of it. A twentieth above what
 * the largest of each kind has today; a commit that raises one says why.
 */
const budgets: Readonly<Record<string, number>> = {
  // With the cookie that binds a sign-on to its browser.
  '': 77,
  'cloudfront dynamodb lambda s3': 640,
  'dynamodb lambda mediaconvert s3': 666,
  'dynamodb lambda': 328,
  'dynamodb lambda s3': 560,
  'dynamodb lambda rekognition': 356,
  // Those that take an Idempotency-Key hold their last transaction back.
  dynamodb: 414,
  'dynamodb s3': 615,
  // Schemas carry their descriptions and examples for the API document; search has the most.
  // Those with the secrets sign URLs: 28 KB of them are the elliptic curve that signs thumbnails the same in every process.
  'dynamodb secrets-manager': 484,
  'dynamodb s3 secrets-manager': 625,
  'dynamodb lambda secrets-manager': 356,
  'dynamodb lambda secrets-manager sesv2': 478,
  'dynamodb sqs': 268,
  'secrets-manager': 270,
}

/** The same of functions that are mostly something else. */
const ownBudgets: Readonly<Record<string, number>> = {
  // The API document with its descriptions and examples, which grows with the interface, and the reference, which is most of it.
  'api-document': 1_080,
  // The largest of their kinds, and with them what calls a provider of stock: its schemas and cockatiel are 22 KB.
  // And what fetches snapshots of search indexes, and asks for them.
  'change-media-in-bulk': 478,
  // The rules of rights and of where files are, beside the runtime of jobs.
  'change-media': 378,
  // The tree of folders, and where files are, beside the runtime of jobs.
  'finish-removal': 361,
  // The tools that inspect files, beside the runtime of jobs.
  'import-media': 638,
  // It knows the tree, to tell companies where things were put.
  'start-jobs': 354,
  'search-stock': 535,
  'search-media': 510,
  // What searches, and the folders of a company besides.
  'list-folders': 458,
  // What people without an account ask for, but for downloads and zips: it searches and shows.
  'visit-share': 732,
  // What opens links and asks for zips, beside the bucket.
  'zip-shared': 640,
  'download-shared-media': 690,
  'get-search-layout': 469,
  'get-download-location': 690,
  'get-sized-download-location': 690,
  // The only consumer that checks what another service tells it, by schemas.
  'note-service-event': 354,
  // Schemas check what CloudFormation asks.
  'renew-snapshots': 325,
  // The player, most of which is hls.js.
  'prepare-buckets': 1_106,
}

/** What a bundle consists of. */
export interface BundleContents {
  bytes: number
  /** Bytes by package, `project` for our own code; the largest first. */
  packages: ReadonlyMap<string, number>
  /** In bytes. @throws Error for a combination of clients that has none yet */
  budget(): number
}

/** @param name of the function */
export function contentsOf(name: string, { outputs }: Metafile): BundleContents {
  const [, output] = Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`)) ?? []
  if (!output) throw new Error(`there is no bundle of ${name}`)
  const sizes = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
    const owner = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'project'
    if (bytesInOutput > 0) sizes.set(owner, (sizes.get(owner) ?? 0) + bytesInOutput)
  }
  const packages = new Map([...sizes].sort(([, a], [, b]) => b - a))
  return {
    bytes: output.bytes,
    packages,
    budget() {
      const clients = [...packages.keys()]
        .filter((each) => each.startsWith('@aws-sdk/client-'))
        .map((each) => each.slice('@aws-sdk/client-'.length))
      const kind = clients.sort().join(' ')
      const budget = ownBudgets[name] ?? budgets[kind]
      if (budget === undefined)
        throw new Error(`${name} is the first with the clients "${kind}": test/infra/bundling/bundle-budgets.ts needs a budget for it`)
      return budget * 1000
    },
  }
}
