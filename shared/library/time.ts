/** `YYYY-MM-DD HH:MM:SS` in UTC, as the interface shows times. @param ms UNIX milliseconds */
export function timestamp(ms: number): string {
  const date = new Date(ms)
  // Lists hold 10,000 of them: cutting up what `toISOString()` says takes several times as long.
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
}

/** `yyyy-mm-dd` of the UTC day. @param ms UNIX milliseconds */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const two = (part: number): string => (part < 10 ? `0${part}` : String(part))
