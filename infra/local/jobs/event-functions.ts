import type { EventFunction } from '../../../shared/events/consumer.ts'

/** The table of everything that no HTTP call starts. Loaded when needed: with its tools it is a good part of the program. */
export async function importEvents(): Promise<readonly EventFunction[]> {
  return (await import('../../../functions/events.ts')).events
}
