import { CONNREFUSED, type LookupAddress, NODATA, NOTFOUND, TIMEOUT } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { RecentlyUsed } from '../../recently-used.ts'
import { type Clock, systemClock } from '../clock/port.ts'
import { timeLimit } from '../clock/time-limit.ts'
import { readSystemNames, SYSTEM_FILES, type SystemFiles } from './system-names.ts'

/** Time limit of a lookup, in milliseconds. */
const TIME_LIMIT = 5_000
/** Parallel lookups for one source of names. */
const AT_ONCE = 2
/** How long a failure is cached, in milliseconds. */
const FAILURE_KEPT = 60_000
/** Codes for a name that doesn't exist or has no addresses. */
const ABSENT = [NOTFOUND, NODATA]
/** Most cached failures. */
const MOST_FAILURES = 1_000

export interface NameQuestion {
  /** Who named the host: a company, a provider of sign-on. */
  from: string
  /** Aborts the wait for a turn. */
  signal?: AbortSignal | undefined
}

/** All addresses of a host name. @throws Error with a code of `node:dns`, the reason of `signal` */
export type ResolveName = (host: string, question: NameQuestion) => Promise<LookupAddress[]>

export interface HostNamesOptions {
  clock?: Clock
  /** Name servers; the system's by default. */
  servers?: readonly string[]
  files?: SystemFiles
}

/** The name servers did not answer in time. */
class LookupTimedOut extends Error {
  override name = 'TimeoutError'
  readonly code = TIMEOUT
}

/** A call that waits for the addresses of a host. */
interface Waiting {
  host: string
  from: string
  follow(lookup: Promise<LookupAddress[]>): void
}

/**
 * Resolves names by `/etc/hosts`, then by name servers over sockets. The system's lookup (getaddrinfo) would block one of the few threads
 * that files need, too, and can't be cancelled. Concurrent calls for a name share one lookup. Each source of names has `AT_ONCE` parallel
 * lookups, so unanswered names only delay their own source. Doesn't cache addresses.
 */
export function hostNames({ clock = systemClock, servers, files = SYSTEM_FILES }: HostNamesOptions = {}): ResolveName {
  const running = new Map<string, Promise<LookupAddress[]>>()
  /** The source of each running lookup. */
  const sources: string[] = []
  const queue = new Set<Waiting>()
  const failures = new RecentlyUsed<{ error: unknown; until: number }>(MOST_FAILURES, () => 1)

  /** @returns undefined if it isn't the source's turn */
  function lookupFor({ host, from }: Waiting): Promise<LookupAddress[]> | undefined {
    const failure = failures.get(host)
    if (failure && clock.now() < failure.until) return Promise.reject(failure.error)
    return running.get(host) ?? (sources.filter((source) => source === from).length < AT_ONCE ? start(host, from) : undefined)
  }

  function start(host: string, from: string): Promise<LookupAddress[]> {
    sources.push(from)
    const lookup = look(host)
      .catch((error) => {
        // Without a network every lookup fails, which says nothing about the name.
        if (!isOf(error, CONNREFUSED)) failures.set(host, { error, until: clock.now() + FAILURE_KEPT })
        throw error
      })
      .finally(() => {
        running.delete(host)
        sources.splice(sources.indexOf(from), 1)
        advance()
      })
    running.set(host, lookup)
    return lookup
  }

  function advance(): void {
    for (const waiting of queue) {
      const lookup = lookupFor(waiting)
      if (!lookup) continue
      queue.delete(waiting)
      waiting.follow(lookup)
    }
  }

  async function look(host: string): Promise<LookupAddress[]> {
    const { addresses, candidates } = await readSystemNames(host, files)
    if (addresses.length > 0) return addresses
    using limit = timeLimit(clock, TIME_LIMIT)
    let absent: unknown
    for (const name of candidates) {
      try {
        return await ask(name, limit.signal, servers)
      } catch (error) {
        if (!isOf(error, ...ABSENT)) throw error
        absent = error
      }
    }
    throw absent
  }

  return async (host, { from, signal }) => {
    signal?.throwIfAborted()
    const { promise, resolve: follow, reject } = Promise.withResolvers<LookupAddress[]>()
    const waiting = { host, from, follow }
    const leave = () => {
      queue.delete(waiting)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    queue.add(waiting)
    advance()
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }
}

/** Asks the name servers for IPv4 and IPv6 addresses. Uses its own resolver, because `cancel` ends all lookups of a resolver. */
async function ask(name: string, signal: AbortSignal, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  signal.throwIfAborted()
  const resolver = new Resolver()
  if (servers) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
  if (found.length > 0) return found
  if (signal.aborted) throw new LookupTimedOut(`the addresses of ${name} were not told in time`)
  const errors = [four, six].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  throw errors.find((error) => !isOf(error, ...ABSENT)) ?? errors[0]
}

const addressesOf = (outcome: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : []

const isOf = (error: unknown, ...codes: unknown[]): boolean => error instanceof Error && 'code' in error && codes.includes(error.code)
