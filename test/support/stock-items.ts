import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { setStock } from '../../shared/library/accounts/companies.ts'
import type { ItemMetadata } from '../../shared/library/media/edit.ts'
import { getMedia } from '../../shared/library/media/find.ts'
import { importItems } from '../../shared/library/stock/import-items.ts'
import { type Entry, findKnown } from '../../shared/library/stock/items.ts'
import { type CompanyId, type MediaId, toMediaId } from '../../shared/vocabulary/ids.ts'
import type { Accounts } from './accounts.ts'
import { fileOf } from './entry-file.ts'
import { images } from './pictures/index.ts'

/** What a test says of an item. */
interface GivenItem extends ItemMetadata {
  /** Without it the item has none. */
  file?: { bytes: Uint8Array; filename: string }
}

/** A harbour in three languages. No word of one language is one of another. */
export const harbour = {
  title: { en: 'Fishing harbour', da: 'Fiskerihavn', de: 'Fischereihafen' },
  description: { en: 'Boats at the quay', da: 'Både ved kajen', de: 'Boote am Anleger' },
  keywords: { en: ['harbour', 'boat'], da: ['havn', 'båd'], de: ['Hafen', 'Schiff'] },
} as const satisfies ItemMetadata

const LONGEST_IMPORT_MS = 300_000

/** Imports items into the stock catalogue of a service, here or in a stack, and says who may use it. */
export function stockItems({ library, uploads }: Pick<Accounts, 'library' | 'uploads'>) {
  async function imported(mediaId: MediaId): Promise<void> {
    for (const end = performance.now() + LONGEST_IMPORT_MS; (await getMedia(library, mediaId))?.state !== 'available'; ) {
      if (performance.now() > end) throw new Error(`importing the item ${mediaId} took too long`)
      await sleep(50)
    }
  }

  /** Imports an item, and waits until it is there. @returns its media id */
  async function item({ file, ...metadata }: GivenItem): Promise<number> {
    const entry: Entry = { id: randomUUID(), metadata, ...(file && { file: fileOf(file.bytes, file.filename) }) }
    await importItems({ ...library, uploads }, [entry])
    const { mediaId } = (await findKnown(library, [entry])).get(entry.id)!.media
    await imported(mediaId)
    return mediaId
  }

  return {
    item,
    /** A JPEG with words in three languages. */
    harbour: async (): Promise<number> => item({ ...harbour, file: { bytes: await images['plain.jpg'](), filename: 'harbour.jpg' } }),
    /** Lets a company use the stock library, or no longer. */
    allow: (companyId: CompanyId, stock = true) => setStock(library, companyId, stock),
    /** The item as it is stored. */
    record: (id: number) => getMedia(library, toMediaId(id)),
  }
}
