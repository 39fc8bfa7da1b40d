import type { Key, Page } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { Reading } from '../library.ts'
import { getMany } from './find.ts'
import { mediaIdOf, mediaKey, type StoredMedia } from './keys.ts'
import type { MediaRecord } from './media.ts'

/** Most files returned for a checksum, and most examined. Where more files share a checksum, some are not found. */
export const [MAX_FOUND, MAX_EXAMINED] = [100, 1_000]

/** Checksums queried in parallel, and files read per page. */
const [AT_ONCE, PAGE] = [50, 100]

/**
 * The files of the caller's companies that have these bytes: those that the caller may READ outside of trashcans. Files that are being imported are
 * not among them. The index lags, so a file that has just been imported may be missing.
 * @param md5s each once, in lower-case hex
 * @returns the ids of at most `MAX_FOUND` files by MD5; unknown MD5s are absent
 */
export async function findByChecksum(library: AuthorizedReading, md5s: readonly string[]): Promise<Map<string, MediaId[]>> {
  const found = new Map<string, MediaId[]>()
  for (const companyId of library.access.companyIds) {
    for (let from = 0; from < md5s.length; from += AT_ONCE) {
      await findInCompany(library, companyId, md5s.slice(from, from + AT_ONCE), found)
    }
  }
  for (const ids of found.values()) ids.sort((one, other) => one - other)
  return found
}

/** The first hundred files of a company that have these bytes, in trashcans too. For the operator. The index lags. */
export async function filesWithMd5(library: Reading, companyId: CompanyId, md5: string): Promise<MediaRecord[]> {
  const { items } = await pageOf(library, companyId, { md5 })
  return getMany(library, items.map(mediaIdOf))
}

async function findInCompany(library: AuthorizedReading, companyId: CompanyId, md5s: readonly string[], found: Map<string, MediaId[]>) {
  let wanted: Wanted[] = md5s.map((md5) => ({ md5 }))
  for (let examined = 0; wanted.length > 0 && examined < MAX_EXAMINED; examined += PAGE) {
    const pages = await Promise.all(wanted.map((each) => pageOf(library, companyId, each)))
    const mediaIds = pages.flatMap(({ items }) => items.map(mediaIdOf))
    for (const media of await readable(library, companyId, mediaIds)) {
      const ids = found.get(media.md5!) ?? []
      if (ids.length < MAX_FOUND && md5s.includes(media.md5!)) found.set(media.md5!, [...ids, media.mediaId])
    }
    wanted = wanted.flatMap(({ md5 }, index) => {
      const { cursor } = pages[index]!
      return cursor === undefined || (found.get(md5)?.length ?? 0) >= MAX_FOUND ? [] : [{ md5, cursor }]
    })
  }
}

/** A checksum, and where the last page of its files ended. */
interface Wanted {
  md5: string
  cursor?: string
}

function pageOf({ table }: Reading, companyId: CompanyId, { md5, cursor }: Wanted): Promise<Page<Key>> {
  return table.query<Key>({ index: 'checksums', pk: md5, sk: { beginsWith: `COMPANY#${companyId}#` }, limit: PAGE, cursor })
}

/** Attributes of a file's record that decide who may READ it. */
const PLACED = ['mediaId', 'companyId', 'md5', 'folders', 'readOnlyIn'] as const
type PlacedFile = Pick<StoredMedia, 'pk' | 'sk' | (typeof PLACED)[number]>

/** The files that the caller may READ outside of trashcans. Reads the folders of all together. */
async function readable({ table, access }: AuthorizedReading, companyId: CompanyId, mediaIds: readonly MediaId[]): Promise<PlacedFile[]> {
  const files = await table.getMany<PlacedFile>(mediaIds.map(mediaKey), { attributes: PLACED })
  await access.chains(companyId, { contents: [...new Set(files.flatMap(({ folders }) => folders))] })
  const isReadable = await Promise.all(files.map((media) => access.hasOutsideTrash('READ', media)))
  return files.filter((_, index) => isReadable[index])
}
