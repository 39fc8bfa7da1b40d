import dns from 'node:dns'

/** A host name of the operator's own, and CloudFront's name of what it stands for. */
export interface OwnName {
  name: string
  target: string
}

/** Outputs of a stack that name an address, each with that of CloudFront's name of it. */
const ADDRESSES = { BaseUrl: 'ApiTarget', DeliveryUrl: 'DeliveryTarget', CdnUrl: 'CdnTarget', PlayerUrl: 'PlayerTarget' }

/** The names of a stack's own, by its outputs. */
export function ownNames(outputs: ReadonlyMap<string, string>): OwnName[] {
  return Object.entries(ADDRESSES).flatMap(([address, output]) => {
    const [url, target] = [outputs.get(address), outputs.get(output)]
    const name = url && new URL(url).host
    return name && target && name !== target ? [{ name, target }] : []
  })
}

/** Milliseconds for a host to answer. */
const LONGEST = 10_000

/** Those names that don't lead to CloudFront. A name is of one distribution in all of CloudFront: what comes to it by that name is answered by this one. */
export async function astray(names: readonly OwnName[], request: typeof fetch = fetch): Promise<OwnName[]> {
  const leads = await Promise.all(
    names.map(async ({ name }) => {
      const init: RequestInit = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(LONGEST) }
      const answer = await request(`https://${name}/`, init).catch(() => undefined)
      return answer?.headers.get('via')?.includes('CloudFront') ?? false
    }),
  )
  return names.filter((_, at) => !leads[at])
}

/** Makes this process connect to CloudFront's hosts under names, until it is disposed of. Their certificates are checked as those of the names. */
export function leading(names: readonly OwnName[]): Disposable {
  const targets = new Map(names.map(({ name, target }) => [name, target]))
  const { lookup } = dns
  // `fetch` takes no resolver, and looks names up by this function each time.
  dns.lookup = Object.assign((host: string, ...rest: unknown[]) => Reflect.apply(lookup, dns, [targets.get(host) ?? host, ...rest]), lookup)
  return {
    [Symbol.dispose]() {
      dns.lookup = lookup
    },
  }
}

/** The records that are to be made, a line each. @param isInZone whether the stack has made them in the operator's hosted zone */
export function missingRecords(names: readonly OwnName[], isInZone = false): string[] {
  if (names.length === 0) return []
  if (isInZone)
    return [`${names.map(({ name }) => name).join(', ')}: these names lead to CloudFront as soon as their new records have spread.`]
  return [
    'These names do not lead to CloudFront yet. Make their records:',
    ...names.map(({ name, target }) => `  CNAME ${name} -> ${target}`),
  ]
}
