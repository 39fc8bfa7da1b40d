/** `YYYY-MM-DD HH:MM:SS` in UTC, as the interface shows times. @param ms UNIX milliseconds */
export function timestamp(ms: number): string {
  const dayNumber = Math.floor(ms / DAY_MS)
  const seconds = Math.floor((ms - dayNumber * DAY_MS) / 1000)
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${knownDay(dayNumber)} ${time}`
}

/** `yyyy-mm-dd` of the UTC day. @param ms UNIX milliseconds */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000
const two = (part: number): string => (part < 10 ? `0${part}` : String(part))

/** Days that came up, by number. Lists hold thousands of times on a few days, and writing out a date takes longer than all else of them. */
const days = new Map<number, string>()

function knownDay(dayNumber: number): string {
  const text = days.get(dayNumber) ?? day(dayNumber * DAY_MS)
  days.set(dayNumber, text)
  return text
}
