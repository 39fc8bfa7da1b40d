import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { toKeep } from '../../../../infra/local/backup/retention.ts'
import { lastTime } from '../../../../infra/local/backup/time-of-day.ts'

const backup = (made: Date) => ({ folder: made.toISOString(), made })
const at = (...time: [number, number, number, number?, number?]) => new Date(...time)

describe('which backups stay', () => {
  it('7 days, 4 weeks and 12 months have their last one, after years of two a day', () => {
    let kept: ReturnType<typeof backup>[] = []
    for (let day = 0; day < 800; day += 1) {
      for (const hour of [3, 15]) kept = toKeep([backup(at(2024, 0, 1 + day, hour)), ...kept])
    }
    const days = kept.map(({ made }) => `${made.getFullYear()}-${made.getMonth() + 1}-${made.getDate()} ${made.getHours()}`)
    // 800 days from Monday, 1 January 2024, end with Tuesday, 10 March 2026.
    assert.deepEqual(days, [
      ...['2026-3-10 15', '2026-3-9 15', '2026-3-8 15', '2026-3-7 15', '2026-3-6 15', '2026-3-5 15', '2026-3-4 15'],
      ...['2026-3-1 15', '2026-2-28 15', '2026-2-22 15', '2026-1-31 15'],
      ...['2025-12-31 15', '2025-11-30 15', '2025-10-31 15', '2025-9-30 15', '2025-8-31 15', '2025-7-31 15', '2025-6-30 15'],
      ...['2025-5-31 15', '2025-4-30 15'],
    ])
  })
})

describe('a time of day', () => {
  it('was today or yesterday', () => {
    const time = { hour: 3, minute: 30 }
    assert.deepEqual(new Date(lastTime(time, at(2026, 0, 10, 3, 30).getTime())), at(2026, 0, 10, 3, 30))
    assert.deepEqual(new Date(lastTime(time, at(2026, 0, 10, 3, 29).getTime())), at(2026, 0, 9, 3, 30))
    assert.deepEqual(new Date(lastTime(time, at(2026, 0, 1, 0, 0).getTime())), at(2025, 11, 31, 3, 30))
  })
})
