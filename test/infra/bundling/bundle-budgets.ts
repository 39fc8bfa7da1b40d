import type { Metafile } from 'esbuild'

/**
 * Most bytes that a function's bundle may have, in KB (1,000 bytes), by the AWS clients in it: they make most of it. A twentieth above what
 * the largest of each kind has today; a commit that raises one says why.
 */
const budgets: Readonly<Record<string, number>> = {
  '': 75,
  'cloudfront dynamodb lambda s3': 640,
  'dynamodb lambda mediaconvert s3': 666,
  'dynamodb lambda': 306,
  'dynamodb lambda s3': 526,
  'dynamodb lambda rekognition': 334,
  // Those that take an Idempotency-Key hold their last transaction back.
  dynamodb: 379,
  'dynamodb s3': 580,
  // Schemas carry their descriptions and examples for the API document; search has the most.
  // Those with the secrets sign URLs: 28 KB of them are the elliptic curve that signs thumbnails the same in every process.
  'dynamodb secrets-manager': 460,
  'dynamodb s3 secrets-manager': 625,
  'dynamodb lambda secrets-manager sesv2': 455,
  'dynamodb sqs': 268,
  'secrets-manager': 270,
}

/** The same of functions that are mostly something else. */
const ownBudgets: Readonly<Record<string, number>> = {
  // The API document with its descriptions and examples, which grows with the interface, and the reference, which is most of it.
  'api-document': 970,
  // The largest of their kinds, and with them what calls a provider of stock: its schemas and cockatiel are 22 KB.
  // And what fetches snapshots of search indexes, and asks for them.
  'change-media-in-bulk': 478,
  // The rules of rights and of where files are, beside the runtime of jobs.
  'change-media': 354,
  // The tree of folders, and where files are, beside the runtime of jobs.
  'finish-removal': 338,
  // The tools that inspect files, beside the runtime of jobs.
  'import-media': 638,
  // It knows the tree, to tell companies where things were put.
  'start-jobs': 354,
  'search-stock': 525,
  'search-media': 500,
  // What searches, and the folders of a company besides.
  'list-folders': 458,
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
