import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { SearchEngine, SearchQuery } from '../../../shared/backends/search/port.ts'
import { parseQuery, type QueryType } from '../../../shared/vocabulary/parse-query.ts'
import { gallery } from './cases/gallery.ts'
import { orderCases } from './cases/order.ts'
import { selectionCases } from './cases/selection.ts'
import { textCases } from './cases/text.ts'
import { COMPANY, everything, type OpenEngine } from './contract-library.ts'
import { aDocument, MemoryFeed } from './memory-feed.ts'

/** A query to the gallery with what it finds, in order; oldest first unless it says otherwise. */
export interface Case extends Partial<Omit<SearchQuery, 'terms'>> {
  /** As people write it. */
  q?: string
  type?: QueryType
  /** Folders that have its terms as tag. */
  tagged?: number[]
  finds: number[]
  /** Where the answer is one page of more. */
  total?: number
}

/** Answers that engines give alike, each in its order. */
export function casesContract(name: string, open: OpenEngine): void {
  describe(`${name}: cases`, () => {
    let opened: { engine: SearchEngine; close(): Promise<void> }
    beforeAll(async () => {
      const feed = new MemoryFeed()
      feed.commit(COMPANY, ...gallery.map(aDocument))
      opened = await open(feed)
    })
    afterAll(() => opened?.close())

    for (const [what, cases] of Object.entries({ text: textCases, selection: selectionCases, order: orderCases }))
      it(`answers what people expect: ${what}`, async () => {
        for (const each of cases) {
          const { q = '', type = 'default', tagged, finds, total = finds.length, ...query } = each
          const terms = parseQuery(q, type).map((term) => (tagged ? { ...term, folders: tagged } : term))
          const answer = await opened.engine.search(COMPANY, { ...everything, ...query, terms })
          assert.deepEqual(answer, { total, mediaIds: finds }, JSON.stringify(each))
        }
      })
  })
}
