import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { loadEventFunctions } from '../../../../infra/local/jobs/event-functions.ts'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { IndexFile, isDamaged } from '../../../../shared/backends/search/index-file.ts'
import { getSnapshotJob, snapshotOf } from '../../../../shared/library/index-snapshots/job.ts'
import { by } from '../../../support/library.ts'
import { COMPANY, putMedia } from '../../../support/media.ts'
import { Background } from '../jobs/background.ts'

let background: Background
beforeEach(() => {
  background = new Background()
})

test('the job that an import of many asks for has the index built before anybody searches', async () => {
  const { 'snapshot-index': prepareIndex, 'start-jobs': startJobs } = await loadEventFunctions()
  const { table } = await background.start({ 'snapshot-index': prepareIndex!, 'start-jobs': startJobs! })
  for (const mediaId of [1_999, 2_000]) await putMedia(table, { mediaId, created: mediaId, modified: mediaId })
  const { clock } = background
  await table.transact({ job: snapshotOf({ clock, by }, COMPANY, { newerThan: clock.now() }) })
  const path = join(embeddedLayout(background.directory).search, `${COMPANY}.sqlite`)
  await vi.waitFor(() => expect(filesIn(path)).toBe(2), { timeout: 120_000 })
  await vi.waitFor(async () => expect(await getSnapshotJob({ table }, COMPANY)).toBeUndefined(), { timeout: 120_000 })
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
