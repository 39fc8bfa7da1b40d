import type { Item } from '../../../shared/backends/table/port.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import { importMedia } from '../../../shared/library/imports/import-media.ts'
import { getMany } from '../../../shared/library/media/find.ts'
import { isMedia } from '../../../shared/library/media/keys.ts'
import { everyScanned } from '../../../shared/library/pages.ts'
import type { Entry } from '../../../shared/library/stock/items.ts'
import { createRenderer } from '../../../shared/tools/imaging/render.ts'
import type { ExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { openImportStores } from '../../support/import-stores.ts'

/** A library with the buckets of an import, for one test. */
export async function openStores() {
  const stores = await openImportStores()
  const { table, media, clock } = stores

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
    problems: () => checkLibrary({ table, scanner: table, media, clock }, { pauses: [], deep: true }),
  }
}

/** Items without files. */
export const described = (count: number): Entry[] =>
  Array.from({ length: count }, (_, n) => ({ id: `item-${n}`, metadata: { title: { en: `Title ${n}` }, keywords: { da: ['båd'] } } }))
