import { ObjectChanged, ObjectMissing } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { listOwners } from '../accounts/companies.ts'
import { feedKeys } from '../media/change-feed.ts'
import { pageOfShard } from '../media/company-files.ts'
import type { AvailableMedia } from '../media/media.ts'
import { type Filling, fillers } from './fillers.ts'
import { isOutage } from './outage.ts'

/** Progress of a filler. */
type Progress = Key & {
  /** The current page, by shard of a company's feed and position in it. Absent once all files are done. */
  page?: Page
}

type Page = {
  shard: string
  from: string
  /** Attempts by file of the page. */
  tries: { [mediaId: string]: number }
}

/** Most attempts at a file. A picture may crash the process, and storage may be unreachable for a while. */
const MOST_TRIES = 3

const progressKey = (filler: string): Key => ({ pk: 'FACTS', sk: filler })

/**
 * Fills in facts that imports of earlier versions didn't store. Each filler processes every file once, over any number of runs. Files imported
 * meanwhile have their facts. Idempotent. Skips files that fail.
 * @param outOfTime whether the rest is left to the next run
 * @throws errors of outages: the next run retries the same file
 */
export async function fillFacts(library: Filling & { log: Log }, outOfTime: () => boolean): Promise<void> {
  for (const filler of Object.keys(fillers)) {
    if (!(await runFiller(library, filler, outOfTime))) return
  }
}

/** @returns whether every file is done */
async function runFiller(library: Filling & { log: Log }, filler: string, outOfTime: () => boolean): Promise<boolean> {
  const { table } = library
  const key = progressKey(filler)
  const progress = await table.get<Progress>(key)
  if (progress && !progress.page) return true
  const shards = (await listOwners(library)).flatMap(feedKeys)
  let page = progress?.page
  // Starts again where the current company is gone.
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

/** @param note stores the number of attempts, before an attempt that may crash the process */
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
