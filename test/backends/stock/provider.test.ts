import { systemClock } from '../../../shared/backends/clock/port.ts'
import { stockProvider } from '../../../shared/backends/stock/provider.ts'
import { providedThumbnails } from '../../../shared/backends/stock/provider-item.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { FIRST_PROVIDED_ID } from '../../../shared/vocabulary/ids.ts'
import { type StockProvider, startStockProvider } from '../../support/stock-provider.ts'
import type { OfferedItem } from '../../support/stock-provider-search.ts'
import { type GivenItem, stockContract } from './contract.ts'

/** An item as a provider says it. */
function offered(id: number, { hasThumbnail, ...given }: GivenItem, { url }: StockProvider): OfferedItem {
  const { kind = 'generic', mime = 'text/plain', created = 0, bytes = 0, filename, width, height, title, description, keywords } = given
  const { geolocation, cameraCreated, adultContent, byline, copyright, expires, editorial } = given
  return {
    ...{ id, kind, mime, bytes, filename, created: new Date(created).toISOString() },
    ...(width && { width }),
    ...(height && { height }),
    ...(title && { title }),
    ...(description && { description }),
    ...(keywords && { keywords }),
    ...(byline && { byline }),
    ...(copyright && { copyright }),
    ...(expires && { expires }),
    ...(editorial && { editorial }),
    ...(adultContent && { adult_content: adultContent }),
    ...(geolocation && { position: { latitude: Number(geolocation.latitude), longitude: Number(geolocation.longitude) } }),
    ...(cameraCreated && { camera_created: new Date(cameraCreated * 1000).toISOString() }),
    ...(hasThumbnail && { thumbnails: { '320px': new URL(`/pictures/${id}`, url).href } }),
  }
}

stockContract('a provider', async () => {
  const provider = await startStockProvider()
  const { url, key, items } = provider
  const options = { baseUrl: url, key: async () => key, hosts: [], clock: systemClock, log: jsonLog(() => undefined) }
  const generic = async () => 'https://files.example.com/generic/thumbnail.png?Signature=x'
  return {
    stock: { ...stockProvider(options), ...providedThumbnails(generic) },
    async put(item) {
      const id = items.size + 1
      items.set(id, offered(id, item, provider))
      return FIRST_PROVIDED_ID + id
    },
    close: async () => provider[Symbol.asyncDispose](),
  }
})
