import type { Client } from '@opensearch-project/opensearch'
import { systemClock } from '../../clock/port.ts'
import type { RefusedChange, SearchIndexAdmin } from '../port.ts'
import type { Aliases } from './alias-names.ts'
import { indexesOf } from './aliases.ts'
import { storeChanges } from './bulk.ts'
import { indexDefinition } from './index-definition.ts'
import { isMissingIndex, isNameTaken, whileWaking } from './waking.ts'

/** The document with the progress of an unfinished index. No search finds it. */
const PROGRESS = 'progress'

/** Most files that the engine may refuse. With more, the new index doesn't replace the old one. */
const MOST_REFUSED = 1_000

export interface RebuildOptions {
  client: Client
  aliases: Aliases
  /** Milliseconds that a request waits for an engine that wakes, or is busy. */
  maxWaitMs: number
  /** Milliseconds until searches find stored documents: ten seconds on OpenSearch Serverless. */
  settle: number
}

/**
 * Fills the index with the alias `next`, and creates it if missing. The indexer writes concurrent changes into both indexes; earlier ones are read
 * from the table here. The newest change of a file wins. Then the aliases change in one step. Every step is idempotent: for resumed runs, concurrent
 * runs and lost answers.
 */
export async function rebuild(
  { client, aliases, maxWaitMs, settle }: RebuildOptions,
  ...[read, report]: Parameters<SearchIndexAdmin['rebuild']>
): ReturnType<SearchIndexAdmin['rebuild']> {
  const waking = <T>(request: (options: { requestTimeout: number }) => Promise<T>) =>
    whileWaking(maxWaitMs, (requestTimeout) => request({ requestTimeout }))
  const inUse = () => indexesOf(client, aliases, maxWaitMs)
  await addFields()
  const index = (await inUse()).next ?? (await create())
  const refused: RefusedChange[] = []
  let files = 0
  for (let cursor = await reached(); cursor !== undefined; ) {
    const page = await read(cursor === '' ? undefined : cursor)
    const stored = await storeChanges(client, [index], page.changes, maxWaitMs)
    if (stored.gone.size > 0) throw replaced()
    refused.push(...stored.refused)
    if (refused.length > MOST_REFUSED) throw tooManyRefused(refused)
    files += page.changes.filter(({ change }) => !('removed' in change)).length
    report(files)
    ;({ cursor } = page)
    if (cursor !== undefined) await note(cursor)
  }
  await systemClock.sleep(settle)
  await switchOver()
  await removeUnused()
  return { files, refused }

  /** Adds fields of this version to the index in use, which would otherwise refuse documents until it is replaced. */
  async function addFields(): Promise<void> {
    const { current } = await inUse()
    if (current === undefined) return
    const { properties } = indexDefinition.mappings!
    await waking((options) => client.indices.putMapping({ index: current, body: { properties: properties! } }, options))
  }

  /** Waits until the indexer writes into it, too. Earlier changes are read from the table. */
  async function create(): Promise<string> {
    const numbers = Object.keys(await allIndexes()).map((name) => Number(name.slice(aliases.current.length + 1)) || 0)
    // Two runs choose the same name.
    const name = `${aliases.current}-${Math.max(0, ...numbers) + 1}`
    const body = { ...indexDefinition, aliases: { [aliases.next]: {} } }
    try {
      await waking((options) => client.indices.create({ index: name, body }, options))
    } catch (error) {
      if (!isNameTaken(error)) throw error
    }
    await systemClock.sleep(settle)
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

  async function switchOver(): Promise<void> {
    const { current, next } = await inUse()
    if (next !== index) {
      if (current === index) return
      throw replaced()
    }
    const actions = [
      { add: { index, alias: aliases.current } },
      { remove: { index, alias: aliases.next } },
      ...(current === undefined || current === index ? [] : [{ remove: { index: current, alias: aliases.current } }]),
    ]
    try {
      await waking((options) => client.indices.updateAliases({ body: { actions } }, options))
    } catch (error) {
      if ((await inUse()).current !== index) throw error
    }
  }

  /** Deletes the index that was in use, and those of interrupted runs. */
  async function removeUnused(): Promise<void> {
    const unused = Object.entries(await allIndexes()).filter(([, { aliases: names = {} }]) => Object.keys(names).length === 0)
    for (const [name] of unused) await remove(name)
  }

  async function remove(name: string): Promise<void> {
    try {
      await waking((options) => client.indices.delete({ index: name }, options))
    } catch (error) {
      if (!isMissingIndex(error)) throw error
    }
  }

  async function allIndexes() {
    const { body } = await waking((options) => client.indices.get({ index: `${aliases.current}-*` }, options))
    return body
  }

  function replaced(): Error {
    return new Error(`Another rebuild has replaced ${index}, which this one built. The index of that one is in use.`)
  }
}

function tooManyRefused([first, ...others]: readonly RefusedChange[]): Error {
  const files = `media ${first?.change.mediaId} and ${others.length} others`
  return new Error(`The search engine refuses too many files, ${files}: ${first?.reason}. The index in use stays.`)
}
