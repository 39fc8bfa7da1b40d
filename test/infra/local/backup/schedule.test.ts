import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupsIn } from '../../../../infra/local/backup/target.ts'
import { startServer } from '../../../../infra/local/server.ts'
import { readSettings } from '../../../../infra/local/settings.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { type Service, startService } from '../../../support/service.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR
const MAX_WAIT_MS = { timeout: 120_000, interval: 100 }

/** The time of day an hour ago, so that no hour of the test is another day's time for a backup. */
const anHourAgo = new Date(Date.now() - HOUR * 1000).toTimeString().slice(0, 5)

describe('a server that backs itself up', () => {
  let root: string
  let target: string
  let service: Service
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'media-library-schedule-'))
    target = join(root, 'backups')
    service = await startService({ BACKUP_TO: target, BACKUP_AT: anHourAgo, MAIL_OPERATOR: 'ops@example.com' })
  })
  afterAll(async () => {
    await service.stop()
    await rm(root, { recursive: true, force: true })
  })

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

  it('does not start where there can be no backups', async () => {
    const directory = join(root, 'data')
    const settings = readSettings({ PORT: '0', DATA_DIR: directory, BACKUP_TO: join(directory, 'backups') })
    await assert.rejects(
      startServer(settings, { log: jsonLog(() => undefined), say: () => undefined, isTerminal: false }),
      /is in the data folder/,
    )
  })
})
