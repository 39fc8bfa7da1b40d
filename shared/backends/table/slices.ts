/** Rows that one statement may remove or change. It blocks the process for some ten milliseconds. */
export const ROWS_AT_ONCE = 1_000

/**
 * Does slices of work until one finds nothing left. Requests are answered between them.
 * @param slice does at most `ROWS_AT_ONCE`. @returns how many it did
 * @returns how many were done in all
 */
export async function inSlices(slice: () => Promise<number>): Promise<number> {
  let done = 0
  for (let count = await slice(); count > 0; count = await slice()) done += count
  return done
}
