import type { GivenSettings } from '../stack/kept-settings.ts'
import { readSettings } from '../stack/settings.ts'

/** How two deployments' settings differ, of each those that are not as by default. */
interface Difference {
  before: GivenSettings
  after: GivenSettings
  /** Of the stack. */
  outputs: ReadonlyMap<string, string>
}

/**
 * The changes that an operator must want: they move the service to other data, take the data's protection away, or break what clients know.
 * @returns a sentence for each, with its consequence
 */
export function graveChanges(difference: Difference): string[] {
  const { before, after } = difference
  const retains =
    before.retain === 'true' && after.retain !== 'true'
      ? ['retain ends: `npm run destroy` will delete table and files, and what is deleted or replaced from now on can not be restored.']
      : []
  const zone = before.hostedZoneId
  const records =
    zone && after.hostedZoneId !== zone
      ? [`hostedZoneId changes from ${zone}: the stack removes its records from that zone, and names that have no others end.`]
      : []
  const moves = moved.flatMap((move) => moveOf(move, difference))
  const defaults = readSettings(() => undefined)
  const others = Object.entries(consequences).flatMap(([name, consequence]) => {
    const [from, to] = [before, after].map((settings) => settings[name] ?? defaults[name as Named] ?? NONE)
    return from === to ? [] : `${name} changes from ${from} to ${to}: ${consequence}`
  })
  return [...retains, ...records, ...moves, ...others]
}

const NONE = "CloudFront's own name"

const addresses = 'clients, bookmarks and pages that know the former address must be told, unless you keep it alive.'

type Named = 'apiDomain' | 'deliveryDomain' | 'cdnDomain' | 'playerDomain' | 'searchEngine' | 'brand' | 'vendor'

const consequences: Readonly<Record<Named, string>> = {
  apiDomain: `the API and the console move; ${addresses}`,
  deliveryDomain: 'files are delivered from there; URLs that were signed before end with the former address.',
  cdnDomain: `links and streams move; ${addresses} formerCdnDomains has the player take the former ones.`,
  playerDomain: `the player moves; ${addresses}`,
  searchEngine: 'searches find nothing until the other engine has its index, see infra/guides/search-engine.md.',
  brand: 'it begins the names of authorization schemes and headers: clients that send the former ones are refused.',
  vendor: 'it is part of the paths of the stock library: clients that ask for the former ones find nothing.',
}

/** Data that a stack makes, or adopts where a setting names it. */
interface Moved {
  setting: 'adoptTable' | 'adoptMediaBucket' | 'adoptPublicBucket' | 'adoptApiSecretsKeyArn'
  output: string
  what: string
  consequence: string
}

const moved: readonly Moved[] = [
  { setting: 'adoptTable', output: 'TableName', what: 'table', consequence: 'users, folders and files are those of that table.' },
  { setting: 'adoptMediaBucket', output: 'MediaBucket', what: 'media bucket', consequence: 'files that it lacks can not be downloaded.' },
  {
    setting: 'adoptPublicBucket',
    output: 'PublicBucket',
    what: 'public bucket',
    consequence: 'links whose files it lacks point at nothing.',
  },
  {
    setting: 'adoptApiSecretsKeyArn',
    output: 'ApiSecretsKeyArn',
    what: 'key to API secrets',
    consequence: 'API keys that it does not open are refused.',
  },
]

function moveOf({ setting, output, what, consequence }: Moved, { before, after, outputs }: Difference): string[] {
  if (before[setting] === after[setting]) return []
  const stays = before.retain === 'true' || before[setting] !== undefined
  const former = outputs.get(output) ?? 'the former one'
  const end = stays ? 'stays, and the service no longer uses it' : 'IS DELETED, with everything in it (the stack does not retain it)'
  return [`The service moves to ${after[setting] ?? `a new, empty ${what}`}: ${consequence} The ${what} ${former} ${end}.`]
}
