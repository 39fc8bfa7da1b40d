import { appendFile, copyFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import type { AvailableMedia, EditableMetadata } from '../../../shared/library/media/media.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import type { WrittenFields } from '../../../shared/tools/metadata/fields.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestObjects, openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

export const ORIGINAL = 'the original'

/** Writes the fields behind the file, so that tests see what was asked for. It does what a test wants before. */
export function writer() {
  const exiftool = {
    written: 0,
    before: async (): Promise<void> => undefined,
    async writeFields(source: string, target: string, fields: WrittenFields) {
      exiftool.written += 1
      await exiftool.before()
      await copyFile(source, target)
      await appendFile(target, ` with ${JSON.stringify(fields)}`)
    },
  }
  return exiftool
}

/** A library with one JPEG, titled `Boats`. */
export async function setUp() {
  const { table, clock, by } = openTestTable()
  const objects = openTestObjects(clock)
  const given = { mediaId: 1, title: { en: 'Boats' }, bytes: ORIGINAL.length, crc32: 17 }
  const stored = await putMedia(table, given)
  await objects.put(objectKeys.original(stored), Buffer.from(ORIGINAL), { contentType: 'image/jpeg' })
  const library = { table, clock, by, media: objects, exiftool: writer() }
  return {
    library,
    read: async () => (await table.get<StoredMedia & AvailableMedia>(mediaKey(toMediaId(1))))!,
    edit: async (edited: Partial<EditableMetadata>) => (await editMetadata(library, [toMediaId(1)], () => edited))[0]!,
    /** What is stored at a key; undefined where nothing is. */
    content: async (key: string) => ((await objects.head(key)) ? text((await objects.get(key)).stream) : undefined),
    copies: async () => (await objects.list(objectKeys.downloads(stored))).objects.map(({ key }) => key),
  }
}
