import { fileOf, type Wanted } from './batch.ts'

/** Files that the browser is asked for at a time. It answers one after the other in any case; more would keep the page busy. */
const PARALLEL = 16
/** Longest time for which the page is kept busy, in milliseconds. */
const BUSY = 30

/**
 * Asks the browser for files, in their order.
 * @param onopened is called with each: the file, or undefined where it can't be read. Others follow when it has ended
 */
export async function openFiles<T extends { wanted: Wanted }>(
  uploads: readonly T[],
  onopened: (upload: T, file: File | undefined) => Promise<void>,
): Promise<void> {
  const left = uploads.values()
  let restedAt = performance.now()
  const openLeft = async () => {
    for (const upload of left) {
      await onopened(upload, await fileOf(upload.wanted).catch(() => undefined))
      if (performance.now() - restedAt < BUSY) continue
      await new Promise((resolve) => setTimeout(resolve))
      restedAt = performance.now()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, openLeft))
}
