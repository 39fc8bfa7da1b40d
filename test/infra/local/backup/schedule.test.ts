import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rememberTarget } from '../../../../infra/local/backup/known-targets.ts'
import { BackupSchedule } from '../../../../infra/local/backup/schedule.ts'
import { backupsIn } from '../../../../infra/local/backup/target.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { type Service, startService } from '../../../support/service.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { TestClock } from '../../../support/test-clock.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
const MAX_WAIT_MS = { timeout: 120_000, interval: 100 }

/** The time of day an hour ago, so that no hour of the test is another day's time for a backup. */
const anHourAgo = new Date(Date.now() - HOUR * 1000).toTimeString().slice(0, 5)

describe('a server that backs itself up', () => {
  const target = join(temporaryDirectory(afterAll), 'backups')
  let service: Service
  beforeAll(async () => {
    service = await startService({ BACKUP_TO: target, BACKUP_AT: anHourAgo, MAIL_OPERATOR: 'ops@example.com' })
  })
  afterAll(() => service.stop())

  const problems = async () => {
    const client = await service.client(null)
    const { status, body } = await client['check-health']()
    assert.equal(status, 200)
    return body.problems.map(({ code }) => code)
  }
  const lastMade = async () => {
    const metrics = await (await service.request('/metrics')).text()
    return Number(/^media_library_last_backup_timestamp_seconds (.*)$/m.exec(metrics)?.[1])
  }
  const mails = () => {
    const folder = join(service.directory!, 'mail')
    const texts = existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
    return texts.filter((text) => text.includes('To: ops@example.com')).map((text) => /^Subject: (.*?)\r?$/m.exec(text)?.[1])
  }

  it('makes one a day, tells of those that fail or are overdue, and recovers', async () => {
    assert.deepEqual(await problems(), [])
    for (let day = 1; day <= 2; day += 1) {
      service.advance(DAY)
      await expect.poll(() => backupsIn(target).length, MAX_WAIT_MS).toBe(day)
      // The server learns of it when the process that made it has ended.
      await expect.poll(lastMade, MAX_WAIT_MS).toBe(backupsIn(target)[0]!.made.getTime() / 1000)
      assert.deepEqual(await problems(), [])
    }

    await rename(target, `${target}-elsewhere`)
    // What is left of a disk that was taken away.
    await mkdir(target)
    service.advance(DAY)
    await expect.poll(problems, MAX_WAIT_MS).toEqual(['backup_failed'])
    assert.deepEqual(readdirSync(target), [])
    service.advance(3 * HOUR)
    await expect.poll(problems, MAX_WAIT_MS).toEqual(['backup_failed', 'backup_overdue'])
    await expect.poll(() => mails().sort(), MAX_WAIT_MS).toEqual(['SVC: A backup failed', 'SVC: A backup is overdue'])

    await rm(target, { recursive: true })
    await rename(`${target}-elsewhere`, target)
    service.advance(DAY)
    await expect.poll(() => backupsIn(target).length, MAX_WAIT_MS).toBe(3)
    await expect.poll(problems, MAX_WAIT_MS).toEqual([])
    assert.equal(mails().length, 2)
  })
})

it('makes none where it had some and has none now, also after a start: its disk may not be mounted', async () => {
  const [dataDirectory, target] = [temporaryDirectory(), temporaryDirectory()]
  await rememberTarget(dataDirectory, target)
  const clock = new TestClock()
  const told: string[] = []
  const schedule = new BackupSchedule({ target, at: { hour: 3, minute: 0 }, dataDirectory, clock, log: jsonLog(() => undefined) })
  const { stop } = schedule.start(async (_, text) => void told.push(text))
  await clock.untilAsleep()
  clock.advance(DAY)
  await expect.poll(() => told.join(), MAX_WAIT_MS).toMatch(/had backups of this library, and has none now\. Bring its disk back; or/)
  assert.deepEqual(
    schedule.problems().map(({ code }) => code),
    ['backup_failed'],
  )
  assert.deepEqual(readdirSync(target), [])
  await stop()
})
