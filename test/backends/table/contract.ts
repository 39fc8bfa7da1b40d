import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import type { ChangeReader, Item, Table, TableScanner } from '../../../shared/backends/table/port.ts'
import { changesContract } from './contract-changes.ts'
import { conditionsContract } from './contract-conditions.ts'
import { itemsContract } from './contract-items.ts'
import { queriesContract } from './contract-queries.ts'
import { scansContract } from './contract-scans.ts'
import { transactionsContract } from './contract-transactions.ts'

/** A table to be tested, and its change stream. */
export interface OpenTable {
  table: Table
  scanner: TableScanner
  changes: ChangeReader
  close(): Promise<void>
}

/** What the parts of the contract work with. */
export interface Subject extends Omit<OpenTable, 'close'> {
  /** A partition key that no other case uses. */
  partition(): string
}

/**
 * Everything that the table port promises, as tests. Cases share one table and keep to partitions of their own, so it may be a
 * deployed one; what may lag behind is waited for.
 */
export function tableContract(name: string, open: () => Promise<OpenTable>): void {
  describe(`${name} keeps the contract of the table port`, () => {
    const subject = { partition: () => `TEST#${randomUUID()}` } as Subject
    let opened: OpenTable
    beforeAll(async () => {
      opened = await open()
      Object.assign(subject, opened)
    })
    afterAll(() => opened?.close())
    const parts = [itemsContract, conditionsContract, queriesContract, scansContract, transactionsContract, changesContract]
    for (const part of parts) part(subject)
  })
}

/** Repeats a check until it holds or 30 s have passed: for what lags behind commits. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end = performance.now() + 30_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

/** All items of a query, page by page. */
export async function everyPage(table: Table, query: Parameters<Table['query']>[0]): Promise<Item[]> {
  const items: Item[] = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = await table.query({ ...query, ...(cursor && { cursor }) })
    items.push(...page.items)
    cursor = page.cursor
    assert.ok(++pages < 1000, 'the pages never end')
  } while (cursor)
  return items
}
