/** `YYYY-MM-DD HH:MM:SS` in UTC, as the interface shows times. @param ms UNIX milliseconds */
export function timestamp(ms: number): string {
  const time = new Date(ms)
  // Slicing the ISO form takes two to four times as long, and lists contain thousands of times.
  const date = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`
  return `${date} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`
}

/** `2026-05-17T10:00:00Z`: ISO 8601 in UTC, rounded down to the second. @param ms UNIX milliseconds */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** `yyyy-mm-dd` of the UTC day. @param ms UNIX milliseconds */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const two = (part: number): string => (part < 10 ? `0${part}` : String(part))
