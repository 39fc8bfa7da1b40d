import { type StockLibrary, StockMissing } from '../../backends/stock/port.ts'
import type { JobActor } from '../actor.ts'
import { offerOriginal, offerSize } from '../downloads/offer.ts'
import type { OnDemand } from '../downloads/on-demand.ts'
import { NotFound } from '../errors.ts'
import type { Delivering } from '../media/delivery.ts'
import { toMediaId } from '../vocabulary/ids.ts'
import { findCatalogued } from './catalogue-item.ts'

/** In whose name a video's record would be made. Videos of the catalogue have theirs since their import. */
const by: JobActor = { kind: 'job', job: 'stock-download', run: 'stock-download' }

/** Downloads of the catalogue's items: made like those of own media. */
export function catalogueDownloads(library: OnDemand & Delivering): Pick<StockLibrary, 'download'> {
  return {
    async download(mediaId, { size }) {
      const media = await findCatalogued(library, toMediaId(mediaId))
      if (!media) throw new StockMissing(`There is no item ${mediaId} in the catalogue`)
      if (media.md5 === '') throw new NotFound('file', 'This item of the stock library has no file that could be downloaded.')
      return size === null ? offerOriginal(library, media) : offerSize({ ...library, by }, media, size)
    },
  }
}
