import { createHash } from 'node:crypto'
import type * as z from 'zod'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../clock/port.ts'
import { allowedUrls } from '../remote/allowed-url.ts'
import { ServiceUnavailable } from '../remote/failure.ts'
import { type RemoteRequest, remoteService } from '../remote/json-service.ts'
import { type StockDownload, type StockLibrary, StockMissing, StockUnavailable } from './port.ts'
import { downloadFrom, itemWith, MAX_PAGE, pageOf } from './provider-answers.ts'
import { providedId, stockItem } from './provider-item.ts'
import { searchParameters } from './provider-query.ts'

/** Limits per operation. A page of a search has up to a thousand items. */
const limits = {
  search: { timeoutMs: 8_000, answerBytes: 4 * 1024 ** 2 },
  item: { timeoutMs: 5_000, answerBytes: 1024 ** 2 },
  download: { timeoutMs: 5_000, answerBytes: 64 * 1024 },
}

/** The same download requested again within this time, in milliseconds, counts as one sale. */
const SAME_DOWNLOAD_MS = 600_000

export interface ProviderOptions {
  /** Address of the provider's API, without trailing slash. */
  baseUrl: string
  /** Authenticates this service at the provider. */
  key?: () => Promise<string>
  /** Hosts, besides the provider's own, that addresses in its answers may have. */
  hosts: readonly string[]
  clock: Clock
  log: Log
}

/**
 * The stock library of a provider behind HTTP, whose API is `shared/backends/remote/openapi.json`. Thumbnails come from its items
 * (`providedThumbnails`).
 */
export function stockProvider({ baseUrl, key, hosts, clock, log }: ProviderOptions): Omit<StockLibrary, 'thumbnail'> {
  const service = remoteService({ baseUrl, clock, log, ...(key && { key }) })
  const allowed = allowedUrls(baseUrl, hosts)

  async function ask<T>(request: RemoteRequest, schema: z.ZodType<T>): Promise<T | undefined> {
    try {
      return await service.call(request, schema)
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error
      throw new StockUnavailable(error.message, { mayBeMade: error.mayHaveActed })
    }
  }

  return {
    async search(query) {
      const { criteria } = query
      const ids = criteria.mediaIds?.flatMap((mediaId) => providedId(mediaId) ?? [])
      // Without ids the provider would return all of its items.
      if (ids?.length === 0) return { total: 0, items: [] }
      const parameters = searchParameters(query, ids ?? [])
      const request = { method: 'GET', path: 'search', query: parameters, repeatable: true, limits: limits.search } as const
      const page = await ask(request, pageOf(Math.min(criteria.limit, MAX_PAGE), ids))
      if (!page) {
        log.warn('The provider of stock has no search below its address', { service: new URL(baseUrl).host })
        throw new StockUnavailable('The provider has no search')
      }
      const items = [...new Map(page.items.map((item) => [item.id, stockItem(item, allowed)])).values()]
      // At least the number of items returned.
      const total = items.length === 0 ? page.total : Math.max(page.total, criteria.offset + items.length)
      return { total, items }
    },

    async item(mediaId) {
      const id = providedId(mediaId)
      if (id === undefined) return undefined
      const item = await ask({ method: 'GET', path: `items/${id}`, repeatable: true, limits: limits.item }, itemWith(id))
      return item && stockItem(item, allowed)
    },

    async download(mediaId, wanted) {
      const id = providedId(mediaId)
      const { size, user, company } = wanted
      const answer =
        id === undefined
          ? undefined
          : await ask(
              {
                method: 'POST',
                path: `items/${id}/downloads`,
                headers: { 'idempotency-key': saleKey(id, wanted, clock.now()) },
                body: { type: 'application/json', bytes: JSON.stringify({ size, user, company }) },
                repeatable: true,
                limits: limits.download,
              },
              downloadFrom(allowed),
            )
      if (!answer) throw new StockMissing(`The provider has no item ${mediaId}, or not in this size`)
      return { url: answer.url, metadataWritten: answer.metadata_written }
    },
  }
}

/** Idempotency key of a sale: the same for repeated downloads that count as one sale. Doesn't reveal the buyer. */
function saleKey(id: number, { size, user, company }: StockDownload, now: number): string {
  const sale = [id, size, user, company, Math.floor(now / SAME_DOWNLOAD_MS)]
  return createHash('sha256').update(JSON.stringify(sale)).digest('hex')
}
