import { join } from 'node:path'
import type { ObjectReader } from '../../../shared/backends/objects/port.ts'
import { openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Item, Key, Query, TableReader, TableScanner } from '../../../shared/backends/table/port.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import { expectedObjects } from '../../../shared/library/check/files.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import type { AvailableMedia } from '../../../shared/library/media/media.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { usageChanges } from '../../../shared/library/usage/usage.ts'
import { toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { by, openTestCompany, requestOf } from '../../support/library.ts'
import { pointerTo } from '../../support/media.ts'
import { TestClock } from '../../support/test-clock.ts'

/**
 * Checks a library whose files are made when they are asked for, so that what is in memory is the check's own.
 * Arguments: an empty directory, and how many files. Prints the problems found and what was read.
 */
const [directory = '', count = ''] = process.argv.slice(2)
const files = Number(count)
/** Ids have as many digits, so that their order as numbers is that of their texts. */
const FIRST = 1_000_000_000
const FILES_IN_PAGE = 300
const DESCRIPTION = 'x'.repeat(2_000)

const clock = new TestClock()
const stored = openEmbeddedTable(join(directory, 'table.db'))
const { companyId, admin } = await openTestCompany({ table: stored, clock, by })
const { folderId } = await createFolder(requestOf({ table: stored, clock }, admin), { name: 'Folder', parent: null })
await stored.transact(
  usageChanges(
    Array.from({ length: files }, (_, n) => counted(FIRST + n)),
    1,
  ),
)
const read = { items: 0, objects: 0, bytes: 0 }

function counted(mediaId: number) {
  return { mediaId: toMediaId(mediaId), companyId, uploadedBy: toUserId(1), bytes: 1 }
}

function file(mediaId: number): AvailableMedia & StoredMedia {
  const rendition = { key: `${companyId}/${mediaId}/renditions/1x1`, mime: 'image/jpeg', width: 1, height: 1, bytes: 1 }
  const facts = { state: 'available', md5: '0'.repeat(32), feedKey: 'feed', folders: [folderId], renditions: { '110px': rendition } }
  return {
    ...mediaKey(toMediaId(mediaId)),
    ...counted(mediaId),
    ...facts,
    description: { en: DESCRIPTION + mediaId },
  } as unknown as AvailableMedia & StoredMedia
}

/** Files from a place on, and the place after them; none at the end. */
function filesFrom(place: number): { page: AvailableMedia[]; cursor?: string } {
  const end = Math.min(place + FILES_IN_PAGE, files)
  const page = Array.from({ length: end - place }, (_, n) => file(FIRST + place + n))
  return end < files ? { page, cursor: String(end) } : { page }
}

const isOfFile = ({ pk }: { pk: string }): boolean => pk.startsWith('MEDIA#')

/** Pointer and record, as they come from a table: texts of their own. */
function itemsOf({ pk }: { pk: string }): Item[] {
  const media = file(Number(pk.slice('MEDIA#'.length)))
  return JSON.parse(JSON.stringify([pointerTo(media, contentsOf({ folderId })), media]))
}

const table: TableReader = {
  settleTime: 0,
  get: async <T extends Key>(key: Key) => (isOfFile(key) ? (itemsOf(key)[1] as Key as T) : stored.get<T>(key)),
  query: async <T extends Key>(query: Query) => (isOfFile(query) ? { items: itemsOf(query) as Key[] as T[] } : stored.query<T>(query)),
  getMany: (keys) => stored.getMany(keys),
}
const scanner: TableScanner = {
  async scan({ cursor } = {}) {
    if (cursor === undefined) return { items: (await stored.scan()).items, cursor: '0' }
    const { page, ...next } = filesFrom(Number(cursor))
    const items = page.flatMap(({ mediaId }) => itemsOf(mediaKey(mediaId)))
    read.items += items.length
    read.bytes += items.length * (DESCRIPTION.length / 2)
    return { items, ...next }
  },
}
const media: ObjectReader = {
  async list(_, { cursor = '0' } = {}) {
    const { page, ...next } = filesFrom(Number(cursor))
    const objects = page.flatMap((file) => [...expectedObjects(file)]).map((key) => ({ key, bytes: 1, modified: 0, etag: '' }))
    read.objects += objects.length
    return { objects, ...next }
  },
  head: async (key) => ({ key, bytes: 1, modified: 0, etag: '', contentType: 'text/plain' }),
  get: () => Promise.reject(new Error('a check reads no bytes')),
}

const problems = await checkLibrary({ table, scanner, media, clock }, { pauses: [] })
stored.close()
process.stdout.write(JSON.stringify({ problems, ...read }))
