import { type StockLibrary, StockMissing, type StockSizes } from '../../backends/stock/port.ts'
import { toMediaId } from '../../vocabulary/ids.ts'
import type { JobActor } from '../actor.ts'
import { locateOriginal, locateSize } from '../downloads/download.ts'
import type { Making } from '../downloads/prepare.ts'
import { NotFound } from '../errors.ts'
import type { Reading } from '../library.ts'
import type { Delivering } from '../media/delivery.ts'
import { type AvailableMedia, hasFile } from '../media/media.ts'
import { findCatalogued } from './catalogue-item.ts'

/** Actor of jobs that make copies. */
const by: JobActor = { kind: 'job', job: 'stock-download', run: 'stock-download' }

type Copying = Omit<Making, 'by'> & Delivering

/** Downloads of catalogue items, made like those of own media. */
export function catalogueDownloads(library: Copying): Pick<StockLibrary, 'download'> {
  const sizes = catalogueSizes(library)
  return {
    async download(mediaId, { size, ...wanted }) {
      if (size !== null) return sizes.download(mediaId, { size, ...wanted })
      return locateOriginal({ ...library, by }, await requireFile(library, mediaId))
    },
  }
}

/** Downloads of sizes of catalogue items. */
export function catalogueSizes(library: Copying): StockSizes {
  return { download: async (mediaId, { size }) => locateSize({ ...library, by }, await requireFile(library, mediaId), size) }
}

/** @throws StockMissing, NotFound for an item without a file */
async function requireFile(library: Reading, mediaId: number): Promise<AvailableMedia> {
  const media = await findCatalogued(library, toMediaId(mediaId))
  if (!media) throw new StockMissing(`There is no item ${mediaId} in the catalogue`)
  if (!hasFile(media)) throw new NotFound('file', 'This item of the stock library has no file that could be downloaded.')
  return media
}
