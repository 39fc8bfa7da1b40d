import { buffer } from 'node:stream/consumers'
import { ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { ThumbHasher } from '../../tools/imaging/thumbhash.ts'
import { CATALOGUE } from '../../vocabulary/ids.ts'
import { listCompanies } from '../accounts/companies.ts'
import { feedKeys } from '../media/change-feed.ts'
import { pageOfShard } from '../media/company-files.ts'
import type { AvailableMedia } from '../media/media.ts'
import { noteThumbHash, thumbHashSource } from '../media/thumbhash.ts'

/** How far the job is. */
type Progress = Key & {
  /** The shard of a company's feed that is looked at, and from where on. Absent once all files have been looked at. */
  at?: { shard: string; from: string }
}

const progressKey: Key = { pk: 'THUMBHASHES', sk: 'PROGRESS' }

/** What the job works with. */
export interface Filling {
  table: Table
  media: Pick<ObjectReader, 'get'>
  thumbHasher: ThumbHasher
}

/**
 * Gives ThumbHashes to pictures that earlier versions imported. It looks at every file once, in any number of runs; imports make those of new
 * files. May be repeated.
 * @param outOfTime whether the rest is left to the next run
 */
export async function fillThumbHashes(library: Filling, outOfTime: () => boolean): Promise<void> {
  const { table } = library
  const progress = await table.get<Progress>(progressKey)
  if (progress && !progress.at) return
  const shards = [CATALOGUE, ...(await listCompanies(library)).map(({ companyId }) => companyId)].flatMap(feedKeys)
  let at: Progress['at'] = progress?.at
  // Where the company is gone that was looked at, all are looked at again.
  if (!at || !shards.includes(at.shard)) at = { shard: shards[0]!, from: '' }
  while (at) {
    const { shard, from }: NonNullable<Progress['at']> = at
    const page = await pageOfShard(library, shard, from)
    for (const media of page.files) await fill(library, media)
    const next = shards[shards.indexOf(shard) + 1]
    at = page.more ? { shard, from: page.from } : next === undefined ? undefined : { shard: next, from: '' }
    await table.put({ ...progressKey, ...(at && { at }) } satisfies Progress)
    if (outOfTime()) return
  }
}

async function fill({ table, media: objects, thumbHasher }: Filling, media: AvailableMedia): Promise<void> {
  const source = thumbHashSource(media)
  if (media.thumbhash !== undefined || source === undefined) return
  try {
    const { stream } = await objects.get(source)
    await noteThumbHash({ table }, media, await thumbHasher(await buffer(stream)))
  } catch (error) {
    // It was deleted meanwhile, or its picture can't be decoded any more.
    if (!(error instanceof ObjectMissing) && !(error instanceof ToolFailed)) throw error
  }
}
