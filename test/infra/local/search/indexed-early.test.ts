import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished, test } from 'vitest'
import { startJobs } from '../../../../functions/events/start-jobs.ts'
import { openEmbeddedBackend } from '../../../../infra/local/backend/embedded-backend.ts'
import { runInProcess } from '../../../../infra/local/jobs/run-job.ts'
import { settingsAt } from '../../../../infra/local/settings.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { IndexFile, isDamaged } from '../../../../shared/backends/search/index-file.ts'
import { actorOf } from '../../../../shared/events/consumer.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { COMPANY, putMedia } from '../../../support/media.ts'

test('an import of many has the index built before anybody searches', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'indexed-early-'))
  const baseUrl = 'http://127.0.0.1:1'
  const embedded = await openEmbeddedBackend({ directory, baseUrl, mailSender: 'a@example.com', clock: systemClock })
  onTestFinished(async () => {
    await embedded.close()
    await rm(directory, { recursive: true })
  })
  for (const mediaId of [1_999, 2_000]) await putMedia(embedded.table, { mediaId, created: mediaId, modified: mediaId })
  const context = { clock: systemClock, settings: settingsAt(baseUrl, defaultSettings), log: jsonLog(() => {}) }
  const event = { name: 'media.imported', companyId: COMPANY, mediaId: 2_000, links: [] }
  const consumer = { ...startJobs, name: 'startJobs' }
  await runInProcess(embedded.backend, context)(consumer, { event, by: actorOf(consumer, 'x') })
  const path = join(embeddedLayout(directory).search, `${COMPANY}.sqlite`)
  while (filesIn(path) < 2) await pause(10)
})

/** 0 while the index is being made. */
function filesIn(path: string): number {
  if (!existsSync(path)) return 0
  try {
    const file = IndexFile.readOnly(path)
    const files = file.value('SELECT files FROM state')
    file.close()
    return files
  } catch (error) {
    if (!isDamaged(error)) throw error
    return 0
  }
}
