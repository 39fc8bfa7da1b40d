/** A time of day in the machine's zone. */
export interface TimeOfDay {
  hour: number
  minute: number
}

/** The last time that the clock showed it, in UNIX milliseconds. @param now UNIX milliseconds */
export function lastTime({ hour, minute }: TimeOfDay, now: number): number {
  const time = new Date(now)
  time.setHours(hour, minute, 0, 0)
  if (time.getTime() > now) time.setDate(time.getDate() - 1)
  return time.getTime()
}
