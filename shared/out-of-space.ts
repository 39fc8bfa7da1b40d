const SQLITE_FULL = 13

/** Whether an error was caused by a full disk or an exhausted disk quota. */
export function isOutOfSpace(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode = 0 } = at as Error & { code?: string; errcode?: number }
    if (code === 'ENOSPC' || code === 'EDQUOT' || (code === 'ERR_SQLITE_ERROR' && (errcode & 0xff) === SQLITE_FULL)) return true
  }
  return false
}
