/** Result code "another process holds the lock"; the lowest byte of extended codes. */
const SQLITE_BUSY = 5

/** Whether SQLite failed because another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_BUSY
}
