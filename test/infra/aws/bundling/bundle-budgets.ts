import type { Metafile } from 'esbuild'

/**
 * Most bytes that a function's bundle may have, in KB (1,000 bytes), by the AWS clients in it: they make most of it. A twentieth above what
 * the largest of each kind has today; a commit that raises one says why. DynamoDB's document client takes 13 of them.
 */
const budgets: Readonly<Record<string, number>> = {
  ...{ '': 82, ssm: 357, dynamodb: 427, 'dynamodb s3': 628 },
  ...{ 'dynamodb lambda': 341, 'dynamodb lambda s3': 573, 'dynamodb lambda rekognition': 369, 'dynamodb lambda mediaconvert s3': 679 },
  // Those with keys sign URLs: 28 KB of them are the elliptic curve that signs thumbnails the same in every process. 78 KB are the client of
  // Systems Manager, whose errors can't be left out one by one: some 3 ms of processor time more at a start than that of Secrets Manager.
  ...{ 'dynamodb ssm': 573, 'dynamodb s3 ssm': 740, 'dynamodb lambda ssm': 444, 'dynamodb lambda sesv2 ssm': 568 },
  ...{
    'dynamodb secrets-manager': 470,
    'dynamodb secrets-manager ssm': 584,
    'dynamodb s3 secrets-manager ssm': 817,
    'cloudfront dynamodb lambda s3': 653,
  },
}

/** The same of functions that are mostly something else. */
const ownBudgets: Readonly<Record<string, number>> = {
  // The API document and its reference; the player, most of which is hls.js.
  ...{ 'api-document': 1_139, 'prepare-buckets': 1_106 },
  // What searches or calls a provider of stock: snapshots of indexes, or schemas and cockatiel.
  ...{
    'change-media-in-bulk': 491,
    'search-stock': 669,
    'search-media': 607,
    'list-folders': 458,
    'get-search-layout': 482,
    'suggest-search': 480,
  },
  // What reads the type of files: 60 KB, 40 of them file-type. Of the jobs it is the one that compares uploads.
  ...{ 'finalize-upload': 725, 'complete-multipart-upload': 732 },
  // What people without an account ask for, beside the bucket.
  ...{ 'visit-share': 599, 'download-shared-media': 812 },
  // Rules of rights, of where files are, and tools, beside the runtime of jobs.
  ...{ 'short-jobs': 1_010, 'long-jobs': 862, 'import-media': 754, 'start-jobs': 354 },
  // Addresses of IIIF and of presets, beside the plans of pictures.
  'render-image': 112,
  // Schemas of what other services tell or ask.
  ...{ 'note-service-event': 354, 'renew-snapshots': 325 },
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
        throw new Error(`${name} is the first with the clients "${kind}": test/infra/aws/bundling/bundle-budgets.ts needs a budget for it`)
      return budget * 1000
    },
  }
}
