import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { embeddedSearch } from '../../shared/backends/search/embedded.ts'
import type { DocumentFeed, SearchDocument, SearchQuery } from '../../shared/backends/search/port.ts'
import { keptPath } from '../support/kept-files.ts'
import { library } from './search-library.ts'

/** The company of the generated library. */
export const COMPANY = 1

const PAGE_OF_FEED = 1_000

/** Where the index of a generated library is kept. */
export const indexFolder = (files: number): string => keptPath(`search-bench-${files}`)

/** An engine with the index of a generated library of `files` files, which is kept for the next run. Who finds it there can't tell how fast it was made. */
export async function searchIndex(files: number) {
  const directory = indexFolder(files)
  const seconds = (await isBuilt(directory, files)) ? undefined : await build(directory, files)
  const engine = embeddedSearch({ directory, feed: nothingNew })
  return {
    engine,
    filesIndexedPerSecond: seconds && files / seconds,
    bytesPerFile: statSync(join(directory, `${COMPANY}.sqlite`)).size / files,
    [Symbol.asyncDispose]: () => engine.close(),
  }
}

/** All files, the newest first. */
export const everything: SearchQuery = { terms: [], scope: { except: [] }, order: 'created', direction: 'desc', limit: 24, offset: 0 }

/** Whether an earlier run left an index that this version of the engine can use: one of another version is emptied when it is opened. */
async function isBuilt(directory: string, files: number): Promise<boolean> {
  if (!existsSync(directory)) return false
  const engine = embeddedSearch({ directory, feed: nothingNew })
  const { total } = await engine.search(COMPANY, everything)
  await engine.close()
  return total === files
}

/** @returns seconds that it took */
async function build(directory: string, files: number): Promise<number> {
  const building = `${directory}.building`
  for (const stale of [directory, building]) rmSync(stale, { recursive: true, force: true })
  mkdirSync(building, { recursive: true })
  const engine = embeddedSearch({ directory: building, feed: libraryFeed(files) })
  const start = performance.now()
  await engine.search(COMPANY, everything)
  const seconds = (performance.now() - start) / 1000
  await engine.close()
  renameSync(building, directory)
  return seconds
}

/** The feed of a library whose index is up to date. */
const nothingNew: DocumentFeed = { changes: async () => ({ changes: [], position: 'end', more: false }), documents: async () => [] }

/** The feed of a generated library, for one index that is built. */
function libraryFeed(files: number): DocumentFeed {
  const documents = library(files)
  return {
    documents: async () => [],
    async changes() {
      const changes: SearchDocument[] = []
      while (changes.length < PAGE_OF_FEED) {
        const { value, done } = documents.next()
        if (done) break
        changes.push(value)
      }
      return { changes, position: `${changes.at(-1)?.created ?? 'end'}`, more: changes.length === PAGE_OF_FEED }
    },
  }
}
