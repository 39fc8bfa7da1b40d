import { randomBytes } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import type { ContentsId, MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from '../media/media.ts'
import { contentsOf } from '../tree/folder.ts'
import { deliveredOf } from './delivered.ts'
import { entryOf, type ListedEntry } from './entries.ts'
import { askForZip } from './job.ts'
import { requesterOf, type ZipRecord, zipKey } from './zip.ts'

/** Most files of a selection. */
export const MAX_SELECTED = 10_000

/** The files of a zip of selected ids. The item expires by its TTL, after the job. */
type SelectionRecord = Key & { mediaIds: MediaId[]; ttl: number }

const selectionKey = (jobId: string): Key => ({ pk: `ZIP#${jobId}`, sk: 'SELECTION' })
const KEPT_SECONDS = 7 * 86_400

/**
 * A new zip of files, with its job.
 * @param mediaIds at most `MAX_SELECTED`; duplicates count once
 * @param name of the archive, without extension
 * @throws NotFound unless the caller may READ each file, Forbidden for items of the stock catalogue, Invalid for files of several companies
 */
export async function requestSelectionZip(
  library: AuthorizedWriting,
  mediaIds: readonly MediaId[],
  name: string,
  requestId: string,
): Promise<ZipRecord> {
  const { access, clock, by, table } = library
  const wanted = [...new Set(mediaIds)]
  const { companyId } = await readableFiles(library, wanted)
  const jobId = randomBytes(16).toString('base64url')
  const asked = clock.now()
  const zip: ZipRecord = {
    ...zipKey(jobId),
    ...{ jobId, requester: requesterOf(access.caller), companyId, selection: { name }, asked, requestId, by },
    ...{ state: 'PENDING', stage: 'list', revision: 1 },
  }
  const selection: SelectionRecord = { ...selectionKey(jobId), mediaIds: wanted, ttl: Math.floor(asked / 1000) + KEPT_SECONDS }
  await table.transact({ zip: { put: zip }, selection: { put: selection }, job: askForZip(library, zip) })
  return zip
}

/** @throws NotFound, Forbidden, Invalid */
async function readableFiles(library: AuthorizedReading, mediaIds: readonly MediaId[]): Promise<Pick<MediaRecord, 'companyId'>> {
  const { access } = library
  const files = await getMany(library, mediaIds)
  const [first] = files
  if (!first || files.length < mediaIds.length) throw new NotFound('media')
  if (access.isMember(first.companyId)) await access.tree(first.companyId)
  for (const media of files) {
    await access.requireOwned(media)
    if (!(await access.hasOnMedia('READ', media))) throw new NotFound('media')
    if (media.companyId !== first.companyId) throw new Invalid({ path: 'media_ids', message: 'must be files of one company' })
  }
  return first
}

/** The entries of a selection's zip: its files that are imported and that the requester may READ, at the root of the archive, by name. */
export async function selectedEntries(library: Reading & Pick<Writing, 'clock'>, zip: ZipRecord, access: Access): Promise<ListedEntry[]> {
  const { jobId, companyId } = zip
  const selection = await library.table.get<SelectionRecord>(selectionKey(jobId))
  const found = (await getMany(library, selection?.mediaIds ?? [])).filter(isAvailable)
  await access.tree(companyId)
  const files: { media: AvailableMedia; contents: ContentsId }[] = []
  for (const media of found) {
    const [folder] = await access.readableAmong(media)
    if (folder) files.push({ media, contents: contentsOf(folder) })
  }
  files.sort((a, b) => byName(a.media, b.media))
  const names = new EntryNames()
  const contentsOfFile = new Map(files.map(({ media, contents }) => [media.mediaId, contents]))
  const delivered = await deliveredOf(
    library,
    zip,
    files.map(({ media }) => media),
  )
  return delivered.map(({ media: { mediaId, version, modified }, filename, stored }) =>
    entryOf(
      { path: names.unique(filename, 'file'), modified, filename },
      { mediaId, contents: contentsOfFile.get(mediaId)!, version },
      stored,
    ),
  )
}

/** Orders by code units, which is the same on every machine. */
export function byName(a: AvailableMedia, b: AvailableMedia): number {
  return a.filename < b.filename ? -1 : a.filename > b.filename ? 1 : a.created - b.created || a.mediaId - b.mediaId
}
