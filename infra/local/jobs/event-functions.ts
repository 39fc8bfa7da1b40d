import type { EventTable } from '../../../shared/runtime/consumer.ts'
import { prepareIndex } from '../search/prepare-index.ts'

/** Loads the table of everything that no HTTP call starts, when it is needed: with its tools it is a good part of the program. */
export async function loadEventFunctions(): Promise<EventTable> {
  return { ...(await import('../../../functions/events.ts')).events, 'snapshot-index': prepareIndex }
}

/** The names of all kinds of jobs among functions. */
export const jobKindsOf = (functions: EventTable): string[] =>
  Object.values(functions).flatMap(({ trigger }) => ('job' in trigger ? [trigger.job] : []))
