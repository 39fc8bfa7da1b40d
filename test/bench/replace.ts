import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { openEmbeddedObjects } from '../../shared/backends/objects/embedded.ts'
import { openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { openCompany } from '../../shared/library/accounts/provision.ts'
import { importMedia } from '../../shared/library/imports/import-media.ts'
import { replacementCreation } from '../../shared/library/media/files.ts'
import { findMedia } from '../../shared/library/media/find.ts'
import { askForImport, fileCreation } from '../../shared/library/media/importing.ts'
import { newReplacementId } from '../../shared/library/media/replacing.ts'
import { newFolder } from '../../shared/library/tree/folder.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { createRenderer } from '../../shared/tools/imaging/render.ts'
import { createExifTool } from '../../shared/tools/metadata/exiftool.ts'
import { createVideoProbe } from '../../shared/tools/video/probe.ts'
import { type MediaId, toContentsId, toFolderId, toMediaId, toUserId } from '../../shared/vocabulary/ids.ts'
import { photo } from '../support/pictures/index.ts'
import type { Row } from './report.ts'
import { temporaryData } from './service-process.ts'
import { median } from './timing.ts'

const UPLOADER = toUserId(1)

/**
 * A photo that becomes a new file, and one that replaces a file, in turn: from the transaction that finalizes it until it is the current file. Both are the same
 * photo but for their last bytes, because equal bytes are not inspected again.
 */
export async function run({ rounds = 25, megapixels = 12 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  const table = openEmbeddedTable(join(data.directory, 'table.sqlite'))
  const [uploads, media] = ['uploads', 'media'].map((name) => openEmbeddedObjects(join(data.directory, name))) as [Bucket, Bucket]
  const exiftool = createExifTool()
  const tools = { exiftool, renderer: createRenderer(exiftool), videoProbe: createVideoProbe() }
  const by = { kind: 'operator', command: 'bench' } as const
  const library = { ...tools, table, uploads, media, clock: systemClock, by, settings: defaultSettings }
  const { companyId } = await openCompany(library, 'Company')
  const folder = newFolder(toFolderId(1), { companyId, name: 'Folder', parent: null, created: 0, contents: toContentsId(1) })
  const bytes = await readFile(await photo(megapixels, 0))
  let posted = 0
  const post = async () => {
    const uploadKey = `upload-${++posted}/photo.jpg`
    const body = Buffer.concat([bytes, Buffer.from(`${posted}`)])
    await uploads.put(uploadKey, body, { contentType: 'application/octet-stream' })
    return { uploadKey, bytes: body.length, filename: 'photo.jpg', companyId, uploadedBy: UPLOADER }
  }
  const uploaded = async (): Promise<MediaId> => {
    const mediaId = toMediaId(randomInt(2 ** 31))
    const { bytes: _, ...file } = await post()
    return taking(uploadTimes, async () => {
      await table.transact(fileCreation(library, { ...file, mediaId }, folder))
      await importMedia(library, mediaId)
      return mediaId
    })
  }
  const replaced = async (mediaId: MediaId): Promise<void> => {
    const file = await post()
    await taking(replacementTimes, async () => {
      const id = await newReplacementId(library, mediaId)
      const replacement = { ...file, mediaId, id, created: systemClock.now(), by }
      await table.transact({ replacement: replacementCreation(replacement), import: askForImport(library, replacement) })
      await importMedia(library, mediaId)
    })
    if (!(await findMedia(library, mediaId)).stored) throw new Error('the file was not replaced')
  }
  const [uploadTimes, replacementTimes]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) await replaced(await uploaded())
  await exiftool.close()
  await Promise.all([uploads.close(), media.close(), table.close()])
  const [upload, replacement] = [median(uploadTimes), median(replacementTimes)]
  return [
    { what: `a photo of ${megapixels} megapixels as a new file (p50)`, value: upload, unit: 'ms' },
    { what: 'the same in the place of a file (p50)', value: replacement, unit: 'ms' },
    { what: 'a replacement against an upload', value: replacement / upload, unit: 'ratio', atMost: 1.1 },
  ]
}

type Bucket = ReturnType<typeof openEmbeddedObjects>

async function taking<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  times.push(performance.now() - started)
  return result
}
