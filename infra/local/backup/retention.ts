import type { StoredBackup } from './target.ts'

/** Numbers of days, weeks and months that keep their last backup. */
const [DAYS, WEEKS, MONTHS] = [7, 4, 12]

const DAY_MS = 24 * 60 * 60 * 1000

/** Local days, so that an evening's backup belongs to the operator's day. */
const dayOf = (time: Date) => `${monthOf(time)}-${time.getDate()}`
/** Weeks begin on Mondays: the number of the week since that of the epoch. */
const weekOf = (time: Date) => `${Math.floor((time.getTime() / DAY_MS - time.getTimezoneOffset() / (24 * 60) + 3) / 7)}`
const monthOf = (time: Date) => `${time.getFullYear()}-${time.getMonth()}`

/** The backups to keep: the last one of each of the latest 7 days, 4 weeks and 12 months that have one. @param backups the newest first */
export function toKeep(backups: readonly StoredBackup[]): StoredBackup[] {
  const kept = new Set<StoredBackup>()
  for (const [periodOf, most] of [[dayOf, DAYS] as const, [weekOf, WEEKS] as const, [monthOf, MONTHS] as const]) {
    const latest = new Map<string, StoredBackup>()
    for (const backup of backups) {
      const period = periodOf(backup.made)
      if (!latest.has(period) && latest.size < most) latest.set(period, backup)
    }
    for (const backup of latest.values()) kept.add(backup)
  }
  return backups.filter((backup) => kept.has(backup))
}
