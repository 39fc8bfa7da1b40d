import assert from 'node:assert/strict'
import { test } from 'vitest'
import { jobIdOf, jobKey } from '../../../shared/library/jobs/job.ts'
import { importJob } from '../../../shared/library/media/import-job.ts'
import { removalJob, removalKey } from '../../../shared/library/tree/folder-changes.ts'
import { toFolderId } from '../../../shared/vocabulary/ids.ts'
import type { SharedLibrary } from './shared-library.ts'

/** Fewer than elsewhere: imports run the real tools. */
const ROUNDS = 6

/** A run of the job that imports a file. */
function importOf({ companyId }: SharedLibrary, mediaId: number) {
  const job = jobKey(jobIdOf({ kind: importJob.name, subject: String(mediaId) }))
  return { consumer: importJob.name, event: { job: { ...job, companyId, input: { mediaId } } } }
}

/** A run of the job that removes what a deleted folder held. */
function removalOf({ companyId }: SharedLibrary, folder: number) {
  const deleted = { folderId: toFolderId(folder) }
  return { consumer: removalJob.name, event: { job: { ...removalKey(deleted), companyId, input: deleted } } }
}

/** What happens to uploads at the same time. */
export function uploadScenarios(library: () => SharedLibrary): void {
  for (const [how, remove] of [
    ['deleted', (id: number) => library().request('DELETE', `/folder/${id}`)],
    ['purged', (id: number) => library().request('POST', `/folder/${id}/purge`)],
  ] as const) {
    test(`an upload finalized while its folder is ${how} is refused, or one file that goes with the folder or stays in it`, async () => {
      const finalized: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const folder = await library().folder()
        const upload = await library().posted(folder)
        const [removed, ...answers] = await library().together(remove(folder), upload, upload)
        assert.equal(removed!.status, 200)
        assert.ok(answers.every(({ status }) => status === 200 || status === 404))
        const ids = answers.filter(({ status }) => status === 200).map(({ body }) => (body as { media_id: number }).media_id)
        assert.ok(new Set(ids).size <= 1, 'however often it is finalized, it is one file')
        finalized.push(...new Set(ids))
      }
      const seen = await Promise.all(finalized.map((file) => library().status(`/media/${file}`)))
      assert.deepEqual(await library().problems(), [])
      const after = await Promise.all(finalized.map((file) => library().status(`/media/${file}`)))
      assert.deepEqual(
        after,
        seen.map((status) => (status === 202 ? 200 : 404)),
        'what was seen is imported, the rest is gone',
      )
    })
  }

  test('an import that ends while its folder is removed leaves a file that is whole, or nothing', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const folderId = await library().folder()
      const finalized = await library().together(await library().posted(folderId))
      const { media_id: mediaId } = finalized[0]!.body as { media_id: number }
      await library().ask('DELETE', `/folder/${folderId}`)
      const run = importOf(library(), mediaId)
      await library().together(run, removalOf(library(), folderId), run)
    }
    assert.deepEqual(await library().problems(), [])
  })
}
