/** The browser's database of earlier uploads. */
export const DATABASE = 'uploads'

/** Forgets the uploads of all users of this browser. Pages of other tabs let go of the database first. */
export function forgetUploads(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  try {
    const request = indexedDB.deleteDatabase(DATABASE)
    request.onsuccess = request.onerror = request.onblocked = () => resolve()
  } catch {
    // The browser keeps nothing.
    resolve()
  }
  return promise
}
