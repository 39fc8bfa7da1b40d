import { type StockLibrary, StockMissing } from '../../backends/stock/port.ts'
import type { JobActor } from '../actor.ts'
import { type OnDemand, originalOnDemand, renditionOnDemand } from '../downloads/on-demand.ts'
import { findPreview, previewDownloadUrl } from '../encodings/preview.ts'
import { type Delivering, downloadUrl, renditionOf, sizedDownloadUrl } from '../media/delivery.ts'
import { toMediaId } from '../vocabulary/ids.ts'
import { findCatalogued } from './catalogue-item.ts'

const by: JobActor = { kind: 'job', job: 'stock-download', run: 'stock-download' }

/** Downloads of the catalogue's items: made like those of own media. */
export function catalogueDownloads(library: OnDemand & Delivering): Pick<StockLibrary, 'download'> {
  return {
    async download(mediaId, { size }) {
      const media = await findCatalogued(library, toMediaId(mediaId))
      if (!media) throw new StockMissing(`There is no item ${mediaId} in the catalogue`)
      if (size === null) {
        const { key, metadataWritten } = await originalOnDemand(library, media)
        return { url: await downloadUrl(library, media, key), metadataWritten }
      }
      const preview = await findPreview({ ...library, by }, media)
      if (preview !== undefined) return { url: await previewDownloadUrl(library, media, preview), metadataWritten: true }
      const { key, metadataWritten } = await renditionOnDemand(library, media, renditionOf(media, size))
      return { url: await sizedDownloadUrl(library, media, size, key), metadataWritten }
    },
  }
}
