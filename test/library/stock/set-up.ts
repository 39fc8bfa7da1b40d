import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import type { Item } from '../../../shared/backends/table/port.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { getMany } from '../../../shared/library/media/find.ts'
import { isMedia } from '../../../shared/library/media/keys.ts'
import { everyScanned } from '../../../shared/library/pages.ts'
import type { Entry, EntryFile } from '../../../shared/library/stock/items.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import type { ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { checkStored } from '../../support/check.ts'
import { openTestTable } from '../../support/library.ts'

/** A library with the buckets of an import, for one test. */
export async function openStores() {
  const { table, clock, by } = openTestTable()
  const directory = await mkdtemp(join(tmpdir(), 'stock-test-'))
  const uploads = openEmbeddedObjects(join(directory, 'uploads'), clock)
  const media = openEmbeddedObjects(join(directory, 'media'), clock)
  onTestFinished(async () => {
    uploads.close()
    media.close()
    await rm(directory, { recursive: true, force: true })
  })
  const stores = { table, uploads, media, clock, by }

  const records = async (): Promise<Item[]> => Array.fromAsync(everyScanned(table))
  /** The files of all items, by the items' ids. */
  async function items() {
    const files = (await records()).filter(isMedia).filter(({ stock }) => stock !== undefined)
    const found = await getMany(
      { table },
      files.map(({ mediaId }) => mediaId),
    )
    return new Map(found.map((each) => [each.stock!, each]))
  }
  return {
    ...stores,
    records,
    items,
    item: async (id: string) => (await items()).get(id)!,
    /** Runs the import of every file that waits for it. */
    async importFiles(exiftool: ExifTool) {
      const importing = { ...stores, exiftool, renderer: createRenderer(exiftool), videoProbe: createVideoProbe() }
      for (const { mediaId, state } of (await items()).values()) if (state === 'importing') await importMedia(importing, mediaId)
    },
    problems: () => checkStored({ table, scanner: table, media, clock }, { pauses: [], deep: true }),
  }
}

/** A file of an entry, of bytes in memory. */
export function fileOf(bytes: Uint8Array, name = 'file.jpg'): EntryFile {
  return {
    name,
    bytes: bytes.length,
    open: async () => Readable.from([Buffer.from(bytes)], { objectMode: false }),
    sha256: async () => createHash('sha256').update(bytes).digest('hex'),
  }
}

/** Items without files. */
export const described = (count: number): Entry[] =>
  Array.from({ length: count }, (_, n) => ({ id: `item-${n}`, said: { title: { en: `Title ${n}` }, keywords: { da: ['båd'] } } }))
