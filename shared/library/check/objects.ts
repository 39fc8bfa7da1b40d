import { readProfileImageKey } from '../accounts/profile-images.ts'
import { findUser } from '../accounts/users.ts'
import { type Tombstone, tombstoneKey } from '../media/change-feed.ts'
import { GENERIC_THUMBNAIL_KEY } from '../media/delivery.ts'
import { isAvailable, type MediaRecord, mediaKey, objectKeys } from '../media/media.ts'
import { everyObject } from '../pages.ts'
import { expectedObjects, hasOriginal, lookAtFile, type StoredObjects } from './files.ts'
import { IdSet } from './id-set.ts'
import type { Library } from './library.ts'
import { lookAtOriginal } from './originals.ts'
import { type Problem, problem } from './problem.ts'
import { type Look, readable, type Suspicions } from './suspicions.ts'

/** Objects of a deleted file are gone within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000
/** Files whose records are read at once. */
const FILES_AT_ONCE = 100

/** All objects that there are of one file. */
interface StoredFile {
  companyId: number
  mediaId: number
  objects: StoredObjects
}

/**
 * Walks all objects and looks whether they are of something that exists.
 * @param deep whether originals are read, too
 * @returns the files whose objects are those they need
 */
export async function walkObjects(library: Library, suspicions: Suspicions, deep: boolean): Promise<IdSet> {
  const complete = new IdSet()
  if (!library.media) return complete
  let files: StoredFile[] = []
  let others: Look[] = []
  const judge = async () => {
    await suspicions.look([...(await fileLooks(library, files, complete, deep)), ...others])
    files = []
    others = []
  }
  for await (const { key, bytes } of everyObject(library.media, '')) {
    const place = /^(\d+)\/(\d+)\//.exec(key)
    if (place) addTo(files, { companyId: Number(place[1]), mediaId: Number(place[2]) }, key, bytes)
    else others.push(() => lookAtOther(library, key))
    // The last file may have more objects to come.
    if (files.length > FILES_AT_ONCE || others.length > FILES_AT_ONCE) {
      const last = place ? files.pop() : undefined
      await judge()
      if (last) files.push(last)
      if (suspicions.tooMany) return complete
    }
  }
  await judge()
  return complete
}

/** Objects of one file come one after the other. */
function addTo(files: StoredFile[], { companyId, mediaId }: Omit<StoredFile, 'objects'>, key: string, bytes: number): void {
  const last = files.at(-1)
  if (last?.mediaId === mediaId && last.companyId === companyId) last.objects.set(key, bytes)
  else files.push({ companyId, mediaId, objects: new Map([[key, bytes]]) })
}

async function fileLooks(library: Library, files: readonly StoredFile[], complete: IdSet, deep: boolean): Promise<Look[]> {
  const keys = files.map(({ mediaId }) => mediaKey(mediaId))
  const found = await library.table.getMany<MediaRecord>(keys, { consistent: false })
  const records = new Map(found.map((media) => [media.mediaId, media]))
  return files.flatMap((file): Look[] => {
    const media = records.get(file.mediaId)
    if (media?.companyId !== file.companyId) return [() => lookAtObjects(library, file)]
    const address = mediaKey(file.mediaId).pk
    const reading = deep ? [readable(address, () => lookAtOriginal(library, file.mediaId))] : []
    if (!fits(media, file)) return [readable(address, () => lookAtFile(library, file.mediaId)), ...reading]
    complete.add(file.mediaId)
    return reading
  })
}

/** Whether a file has all objects that it needs, its original whole, and no others. While it is being imported they come one by one. */
function fits(media: MediaRecord, { objects }: StoredFile): boolean {
  try {
    return !isAvailable(media) || (expectedObjects(media).symmetricDifference(objects).size === 0 && hasOriginal(media, objects))
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** What is wrong with objects that seem to be of no file. */
async function lookAtObjects({ table, media: objects, clock }: Library, file: Omit<StoredFile, 'objects'>): Promise<Problem[]> {
  const { companyId: company_id, mediaId: media_id } = file
  const prefix = objectKeys.prefix(file)
  const media = await table.get<MediaRecord>(mediaKey(media_id))
  const tombstone = await table.get<Tombstone>(tombstoneKey(media_id))
  if (media?.companyId === company_id) return []
  if (tombstone && deletedAt(tombstone) > clock.now() - REMOVED_WITHIN_MS) return []
  const { objects: left = [] } = (await objects?.list(prefix, { limit: 1 })) ?? {}
  return left.length > 0 ? [problem('objects_without_file', { company_id, media_id, object: prefix })] : []
}

/** UNIX milliseconds; a place in the change feed begins with the time. */
function deletedAt({ changedAt }: Tombstone): number {
  return Date.parse(changedAt.slice(0, changedAt.indexOf('#')))
}

/** What is wrong with an object that is not of a file. */
async function lookAtOther({ table, media: objects, clock }: Library, object: string): Promise<Problem[]> {
  const stored = object === GENERIC_THUMBNAIL_KEY ? undefined : await objects?.head(object)
  if (!stored) return []
  const image = readProfileImageKey(object)
  if (!image) return [problem('unknown_object', { object })]
  const { userId: user_id, version } = image
  const user = await findUser(table, user_id)
  if (!user) return [problem('profile_image_without_user', { user_id, object })]
  // A new image is stored before its user's record names it.
  const isUsed = version !== undefined && user.profileImage === version
  return isUsed || stored.modified > clock.now() - REMOVED_WITHIN_MS ? [] : [problem('profile_image_unused', { user_id, object })]
}
