const SQLITE_FULL = 13

/** Whether something failed because a disk, or its owner's quota of it, has no room left. */
export function isOutOfSpace(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode = 0 } = at as Error & { code?: string; errcode?: number }
    if (code === 'ENOSPC' || code === 'EDQUOT' || (code === 'ERR_SQLITE_ERROR' && (errcode & 0xff) === SQLITE_FULL)) return true
  }
  return false
}
