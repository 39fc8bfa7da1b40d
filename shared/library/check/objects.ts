import { toMediaId } from '../../vocabulary/ids.ts'
import { readProfileImageKey } from '../accounts/profile-images.ts'
import { findUser } from '../accounts/users.ts'
import { CONSOLE_FILES } from '../links/public-keys.ts'
import { GENERIC_THUMBNAIL_KEY } from '../media/delivery.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import type { Tombstone } from '../media/media.ts'
import { everyObject } from '../pages.ts'
import { checkDownloadObject, isDownloadObject, noteDownloadObject } from './downloads.ts'
import { fileFact, isFileless, objectsFact } from './files.ts'
import { checkSnapshotObject, isSnapshotObject, noteSnapshotObject } from './index-snapshots.ts'
import type { CheckNotes, Library } from './library.ts'
import { notePublicObject } from './links.ts'
import { type Problem, problem } from './problem.ts'
import { profileImageFact } from './records.ts'
import { checkVideoObject, isStreamObject, isVideoObject, noteStreamObject, noteVideoObject } from './videos.ts'
import { checkZipObject, isZipObject, noteZipObject } from './zips.ts'

/** Objects that are no longer needed are removed within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000

/** Walks all objects, of which those of one file come together. */
export async function noteObjects({ media, publicFiles }: Library, notes: CheckNotes): Promise<void> {
  if (publicFiles) {
    for await (const { key } of everyObject(publicFiles, '')) {
      // The console and the player belong to the deployment.
      if (key.startsWith(CONSOLE_FILES)) continue
      if (isStreamObject(key)) noteStreamObject(key, notes)
      else notePublicObject(key, notes)
    }
  }
  if (!media) return
  let file = { prefix: '', sizes: new Map<string, number>() }
  const endFile = () => {
    const { prefix, sizes } = file
    if (prefix === '') return
    notes.fact(objectsFact(prefix, sizes.keys(), sizes.get(`${prefix}original`)))
    notes.need('objects', prefix, fileFact(prefix))
  }
  for await (const { key, bytes } of everyObject(media, '')) {
    const prefix = /^\d+\/\d+\//.exec(key)?.[0] ?? ''
    if (prefix !== file.prefix) {
      endFile()
      file = { prefix, sizes: new Map() }
    }
    if (isZipObject(key)) noteZipObject(key, notes)
    else if (isSnapshotObject(key)) noteSnapshotObject(key, bytes, notes)
    else if (prefix === '') noteOther(key, notes)
    else if (isDownloadObject(key)) noteDownloadObject(key, bytes, notes)
    else if (isVideoObject(key)) noteVideoObject(key, notes)
    else file.sizes.set(key, bytes)
  }
  endFile()
}

function noteOther(key: string, notes: CheckNotes): void {
  if (key === GENERIC_THUMBNAIL_KEY) return
  const image = readProfileImageKey(key)
  if (image?.version === undefined) notes.suspect('object', key)
  else notes.need('object', key, profileImageFact(image.userId, image.version))
}

/** What is wrong with an object that is not of a file. */
export async function* checkObject(library: Library, object: string): AsyncGenerator<Problem> {
  const { table, media: objects, clock } = library
  const stored = await objects?.head(object)
  if (!stored) return
  if (isDownloadObject(object)) return yield* checkDownloadObject(library, object)
  if (isZipObject(object)) return yield* checkZipObject(library, object)
  if (isSnapshotObject(object)) return yield* checkSnapshotObject(library, object, stored.modified)
  if (isVideoObject(object)) return yield* checkVideoObject(library, object)
  const image = readProfileImageKey(object)
  if (!image) return yield problem('unknown_object', { object })
  const { userId: user_id, version } = image
  const user = await findUser({ table }, user_id)
  if (!user) return yield problem('profile_image_without_user', { user_id, object })
  // A new image is stored before its user's record names it.
  // A packed image has no version, and is shown while the record names none.
  const isUsed = user.profileImage === version
  if (!isUsed && stored.modified <= clock.now() - REMOVED_WITHIN_MS) yield problem('profile_image_unused', { user_id, object })
}

/** What is wrong with objects whose file seems not to be stored. */
export async function* checkObjectsOfFile({ table, media: objects, clock }: Library, prefix: string): AsyncGenerator<Problem> {
  const [company_id, media_id] = prefix.split('/').map(Number) as [number, number]
  const mediaId = toMediaId(media_id)
  const media = await getMedia({ table }, mediaId)
  const tombstone = await getTombstone({ table }, mediaId)
  const isKnown = media?.companyId === company_id
  if (isKnown && !isFileless(media)) return
  if (tombstone && deletedAt(tombstone) > clock.now() - REMOVED_WITHIN_MS) return
  const page = await objects?.list(prefix, { limit: 1 })
  if (page?.objects.length) {
    yield problem(isKnown ? 'object_unexpected' : 'objects_without_file', { company_id, media_id, object: prefix })
  }
}

/** UNIX milliseconds; a position in the change feed begins with the time. */
function deletedAt({ changedAt }: Tombstone): number {
  return Date.parse(changedAt.slice(0, changedAt.indexOf('#')))
}
