import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { openTestTable } from './library.ts'

/** A table with the buckets of an import, for one test. */
export async function openImportStores() {
  const { table, clock, by } = openTestTable()
  const directory = await mkdtemp(join(tmpdir(), 'import-test-'))
  const uploads = openEmbeddedObjects(join(directory, 'uploads'), clock)
  const media = openEmbeddedObjects(join(directory, 'media'), clock)
  onTestFinished(async () => {
    uploads.close()
    media.close()
    await rm(directory, { recursive: true, force: true })
  })
  return { table, uploads, media, clock, by, settings: defaultSettings }
}
