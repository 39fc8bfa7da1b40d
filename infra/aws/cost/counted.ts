import { readFileSync } from 'node:fs'
import type { Usage } from './prices.ts'

/** What AWS bills of a call or a run, besides the run itself. Searches are those of the embedded engine. */
export interface Calls {
  readUnits: number
  writeUnits: number
  objectReads: number
  objectWrites: number
  searches: number
  mails: number
}

/** The billed usage of an endpoint's call, and of what follows from it: what these runs are billed for, and how often each function runs. */
export interface CountedOperation {
  /** Requests of a client to the API; one where absent. */
  requests?: number
  request: Calls
  behind: Calls
  runs: Readonly<Record<string, number>>
}

/** The counts of the service itself; a test counts again, and fails where it has become more (test/infra/aws/cost/). */
export interface Counted {
  operations: Readonly<Record<string, CountedOperation>>
  /** A run of each schedule that finds nothing to do. */
  schedules: Readonly<Record<string, Calls>>
}

/** A photo that is registered, posted, finalized and imported. */
export const UPLOADED_PHOTO = 'upload-photo'

/** An event that one webhook is told, beside the change that it tells of. */
export const TOLD_EVENT = 'tell-event'

export const counted = (): Counted => JSON.parse(readFileSync(new URL('./counted.json', import.meta.url), 'utf8'))

/** Read units of a search in a process that has the index. test/library/index-snapshots counts them. */
const READ_UNITS_OF_SEARCH = 15

export function usageOfCalls({ searches, ...calls }: Calls): Usage {
  return { ...calls, readUnits: calls.readUnits + searches * READ_UNITS_OF_SEARCH }
}
