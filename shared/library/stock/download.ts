import type { StockDownload } from '../../backends/stock/port.ts'
import { FIRST_PROVIDED_ID, type MediaId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { attribution, type Told } from '../downloads/attribution.ts'
import { logDownload, loggedFirst } from '../downloads/log.ts'
import type { Offer } from '../downloads/offer.ts'
import { Invalid, NotFound } from '../errors.ts'
import { available, getMedia } from '../media/find.ts'
import type { AvailableMedia } from '../media/media.ts'
import { isCatalogued } from './catalogue-item.ts'
import { fromStock } from './stock-item.ts'

/** What downloads work with: the caller's own files, and the stock library. */
export interface Downloading<Size> extends AuthorizedWriting {
  stock: { download(mediaId: number, wanted: StockDownload & { size: Size }): Promise<Offer> }
}

/** What is to be downloaded, and what the client says of it. */
export interface Asked<Size> extends Told {
  /** null for the original. */
  size: Size
}

/**
 * Downloads a file, or an item of the stock library, and logs that. Needs READ on the file. An item needs the right to use the stock library,
 * and a user to whom it is attributed.
 * @param offer offers a file of the library's own
 * @throws NotFound, Forbidden, Invalid, Conflict while it is being imported or made, NotReady while the stock library can't be used
 */
export async function download<Size extends RenditionSize | null>(
  library: Downloading<Size>,
  mediaId: MediaId,
  asked: Asked<Size>,
  offer: (media: AvailableMedia) => Promise<Offer>,
): Promise<Offer> {
  const found = await getMedia(library, mediaId)
  if (!found || isCatalogued(found)) {
    // Without a record only a provider can have it.
    if (!found && mediaId < FIRST_PROVIDED_ID) throw new NotFound('media')
    return downloadItem(library, mediaId, asked)
  }
  await library.access.requireMedia('READ', found)
  const media = available(found)
  const attributed = await attribution(library, asked)
  const offered = await offer(media)
  await logDownload(library, media, { size: asked.size, ...attributed })
  return offered
}

async function downloadItem<Size extends RenditionSize | null>(
  library: Downloading<Size>,
  mediaId: MediaId,
  asked: Asked<Size>,
): Promise<Offer> {
  const { access, stock } = library
  if (!(await access.hasStock())) throw new NotFound('media')
  const { size } = asked
  const attributed = await attribution(library, asked)
  const { userId } = attributed
  if (userId === null) throw new Invalid({ path: 'user', message: 'is needed for downloads of the stock library' })
  const companyId = await access.requireStock()
  const wanted = { size, user: userId, company: companyId }
  return fromStock(loggedFirst(library, { companyId, mediaId }, { size, ...attributed }, () => stock.download(mediaId, wanted)))
}
