import type { Item, Key, TableScanner } from '../../backends/table/port.ts'
import { isAvailable } from '../media/media.ts'
import type { UsageRecord } from '../usage/usage.ts'
import { companyOf, fileProblems, lookAtFile, toFilePartition } from './files.ts'
import type { IdSet } from './id-set.ts'
import { ItemLooks } from './items.ts'
import type { Library } from './library.ts'
import { type Look, readable, type Suspicions } from './suspicions.ts'
import { UsageCount } from './usage.ts'

/** Walks the whole table and looks whether its items fit together. @param complete the files whose objects are those they need */
export async function walkTable(library: Library, scanner: TableScanner, complete: IdSet, suspicions: Suspicions): Promise<void> {
  const items = new ItemLooks(library)
  const usage = new UsageCount()
  const files = new FileLooks(library, complete, usage)
  for await (const page of pages(scanner)) {
    const looks: Look[] = []
    for (const item of page) {
      looks.push(...(await files.next(item)))
      if (isUsage(item)) usage.addCounter(item as Key as UsageRecord)
      else looks.push(...items.of(item))
    }
    await suspicions.look(looks)
    if (suspicions.tooMany) return
  }
  await suspicions.look([...(await files.next(undefined)), ...usage.looks(library)])
}

function isUsage({ pk, sk }: Key): boolean {
  return pk.startsWith('COMPANY#') && sk.startsWith('USAGE#')
}

/** Gathers what belongs to one file, which comes together, and judges it by what is known of folders already. */
class FileLooks {
  readonly #library: Library
  readonly #complete: IdSet
  readonly #usage: UsageCount
  #items: Item[] = []

  constructor(library: Library, complete: IdSet, usage: UsageCount) {
    this.#library = library
    this.#complete = complete
    this.#usage = usage
  }

  /** @param item the next one of the table, of a file or not; undefined at the end. @returns looks at the file that it ends */
  async next(item: Item | undefined): Promise<Look[]> {
    const before = this.#items
    if (item && item.pk === before[0]?.pk) {
      before.push(item)
      return []
    }
    this.#items = item?.pk.startsWith('MEDIA#') ? [item] : []
    const [first] = before
    if (!first) return []
    const look = readable(first.pk, () => lookAtFile(this.#library, Number(first.pk.slice('MEDIA#'.length))))
    return (await this.#seemsRight(before)) ? [] : [look]
  }

  async #seemsRight(items: readonly Item[]): Promise<boolean> {
    const partition = toFilePartition(items)
    const { media } = partition
    const companyId = companyOf(partition)
    if (companyId === undefined) return true
    try {
      if (media) this.#usage.addFile(media)
      const lacksObjects = this.#library.media && media && isAvailable(media) && !this.#complete.has(media.mediaId)
      const folders = await this.#library.foldersAsRead(companyId)
      return !lacksObjects && fileProblems(partition, folders, this.#library.clock.now()).length === 0
    } catch (error) {
      if (error instanceof TypeError) return false
      throw error
    }
  }
}

/** The next page is on its way while one is looked at. */
async function* pages(scanner: TableScanner): AsyncGenerator<Item[]> {
  let next: ReturnType<TableScanner['scan']> | undefined = scanner.scan()
  while (next) {
    const { items, cursor }: Awaited<typeof next> = await next
    next = cursor === undefined ? undefined : scanner.scan({ cursor })
    // Whoever stops here leaves it unread; that it fails is heard when it is awaited.
    next?.catch(() => undefined)
    yield items
  }
}
