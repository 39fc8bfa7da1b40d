import { ObjectChanged, ObjectMissing } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { listOwners } from '../accounts/companies.ts'
import { feedKeys } from '../media/change-feed.ts'
import { pageOfShard } from '../media/company-files.ts'
import type { AvailableMedia } from '../media/media.ts'
import { type Filling, fillers } from './fillers.ts'
import { isOutage } from './outage.ts'

/** How far a filler is. */
type Progress = Key & {
  /** The page that is looked at, by the shard of a company's feed and the position in it. Absent once all files have been looked at. */
  page?: Page
}

type Page = {
  shard: string
  from: string
  /** Times that each file of it was tried. */
  tries: { [mediaId: string]: number }
}

/** Times that a file is tried. A picture may end the process, and storage may be away for a while. */
const MOST_TRIES = 3

const progressKey = (filler: string): Key => ({ pk: 'FACTS', sk: filler })

/**
 * Fills in what imports of earlier versions did not note of their files. Each filler looks at every file once, in any number of runs; files that
 * are imported meanwhile have their facts. May be repeated. A file that fails is passed.
 * @param outOfTime whether the rest is left to the next run
 * @throws what an outage throws: the next run tries the same file again
 */
export async function fillFacts(library: Filling & { log: Log }, outOfTime: () => boolean): Promise<void> {
  for (const filler of Object.keys(fillers)) {
    if (!(await runFiller(library, filler, outOfTime))) return
  }
}

/** @returns whether it has looked at every file */
async function runFiller(library: Filling & { log: Log }, filler: string, outOfTime: () => boolean): Promise<boolean> {
  const { table } = library
  const key = progressKey(filler)
  const progress = await table.get<Progress>(key)
  if (progress && !progress.page) return true
  const shards = (await listOwners(library)).flatMap(feedKeys)
  let page = progress?.page
  // Where the company is gone that was looked at, all are looked at again.
  if (!page || !shards.includes(page.shard)) page = { shard: shards[0]!, from: '', tries: {} }
  while (page) {
    const now: Page = page
    const { files, from, more } = await pageOfShard(library, now.shard, now.from)
    const note = () => table.put({ ...key, page: now } satisfies Progress)
    for (const media of files) await tryFile(library, filler, media, now, note)
    const next = shards[shards.indexOf(now.shard) + 1]
    page = more ? { shard: now.shard, from, tries: {} } : next === undefined ? undefined : { shard: next, from: '', tries: {} }
    await table.put({ ...key, ...(page && { page }) } satisfies Progress)
    if (outOfTime()) return page === undefined
  }
  return true
}

/** @param note keeps the number of tries, before what may end the process */
async function tryFile(
  library: Filling & { log: Log },
  filler: string,
  media: AvailableMedia,
  { tries }: Page,
  note: () => Promise<void>,
): Promise<void> {
  const { lacks, fill } = fillers[filler]!
  const { mediaId } = media
  const before = tries[mediaId] ?? 0
  if (!lacks(media) || before >= MOST_TRIES) return
  tries[mediaId] = before + 1
  await note()
  try {
    await fill(library, media)
  } catch (error) {
    if (isOutage(error) && !isGone(error)) throw error
    tries[mediaId] = MOST_TRIES
    library.log.warn('a fact of a file could not be filled in', { fact: filler, media: mediaId, error })
  }
}

/** The file was deleted or replaced meanwhile. */
const isGone = (error: unknown) => error instanceof ObjectMissing || error instanceof ObjectChanged
