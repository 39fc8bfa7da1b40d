/** `YYYY-MM-DD HH:MM:SS` in UTC, as the interface shows times. @param ms UNIX milliseconds */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** `yyyy-mm-dd` of the UTC day. @param ms UNIX milliseconds */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
