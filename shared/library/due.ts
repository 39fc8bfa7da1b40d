/** Attributes by which the index of due items finds an item, from a time on (`trashDue` in backends/table/indexes.ts). */
export type Due = { dueKey: string; dueAt: string }

/** For a record that is due no more, or never was. */
export const NOT_DUE = { dueKey: undefined, dueAt: undefined } satisfies Partial<Due>

/** The attributes of what is due, to be removed of a record that is due no more. */
export const DUE_ATTRIBUTES = ['dueKey', 'dueAt'] as const satisfies (keyof Due)[]

/** Sorts like time. @param ms UNIX milliseconds */
export function dueTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** @param now UNIX milliseconds */
export const isDue = ({ dueAt }: Partial<Due>, now: number): boolean => dueAt !== undefined && dueAt <= dueTime(now)
