import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@opensearch-project/opensearch'
import type { RefusedChange, SearchIndexAdmin } from '../port.ts'
import type { Aliases } from './alias-names.ts'
import { indexesOf } from './aliases.ts'
import { storeChanges } from './bulk.ts'
import { indexDefinition } from './index-definition.ts'
import { isMissingIndex, whileWaking } from './waking.ts'

/** The document of an unfinished index that says how far it is. No search finds it. */
const PROGRESS = 'progress'

export interface RebuildOptions {
  client: Client
  aliases: Aliases
  /** Milliseconds that a request waits for an engine that wakes, or is busy. */
  patience: number
  /** Milliseconds after which searches find what was stored: OpenSearch Serverless takes ten seconds. */
  settle: number
}

/**
 * Fills the index that has the alias `next`, and makes one where there is none. What changes meanwhile the indexer writes into both, and what
 * changed before is read from the table here; of a file's changes the newest wins. Then the aliases change in one step.
 */
export async function rebuild(
  { client, aliases, patience, settle }: RebuildOptions,
  ...[read, report]: Parameters<SearchIndexAdmin['rebuild']>
): ReturnType<SearchIndexAdmin['rebuild']> {
  const waking = <T>(request: (options: { requestTimeout: number }) => Promise<T>) =>
    whileWaking(patience, (requestTimeout) => request({ requestTimeout }))
  const index = (await indexesOf(client, aliases, patience)).next ?? (await create())
  const refused: RefusedChange[] = []
  let files = 0
  for (let cursor = await reached(); cursor !== undefined; ) {
    const page = await read(cursor === '' ? undefined : cursor)
    refused.push(...(await storeChanges(client, [index], page.changes, patience)))
    files += page.changes.filter(({ change }) => !('removed' in change)).length
    report(files)
    ;({ cursor } = page)
    if (cursor !== undefined) await note(cursor)
  }
  await pause(settle)
  await switchOver()
  return { files, refused }

  async function create(): Promise<string> {
    const name = `${aliases.current}-${Date.now()}`
    const body = { ...indexDefinition, aliases: { [aliases.next]: {} } }
    await waking((options) => client.indices.create({ index: name, body }, options))
    return name
  }

  /** Where an interrupted run ended; empty at the beginning. */
  async function reached(): Promise<string | undefined> {
    try {
      const { body } = await waking((options) => client.get({ index, id: PROGRESS }, options))
      return String(body._source?.progress?.cursor ?? '')
    } catch (error) {
      if (isMissingIndex(error)) return ''
      throw error
    }
  }

  async function note(cursor: string): Promise<void> {
    await waking((options) => client.index({ index, id: PROGRESS, body: { progress: { cursor } } }, options))
  }

  /** Then removes the old index, and what interrupted runs left. */
  async function switchOver(): Promise<void> {
    const { current } = await indexesOf(client, aliases, patience)
    const actions = [
      { add: { index, alias: aliases.current } },
      { remove: { index, alias: aliases.next } },
      ...(current === undefined || current === index ? [] : [{ remove: { index: current, alias: aliases.current } }]),
    ]
    await waking((options) => client.indices.updateAliases({ body: { actions } }, options))
    const { body } = await waking((options) => client.indices.get({ index: `${aliases.current}-*` }, options))
    const others = Object.keys(body).filter((name) => name !== index)
    for (const other of others) await waking((options) => client.indices.delete({ index: other, ignore_unavailable: true }, options))
  }
}
