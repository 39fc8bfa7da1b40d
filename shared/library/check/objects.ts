import { toCompanyId, toMediaId } from '../../vocabulary/ids.ts'
import { readProfileImageKey } from '../accounts/profile-images.ts'
import { findUser } from '../accounts/users.ts'
import { brandOf, LOGOS, logoKey } from '../brands/brand.ts'
import { getMedia, getTombstone } from '../media/find.ts'
import { hasFile, isAvailable } from '../media/media.ts'
import { checkDownloadObject, isDownloadObject } from './downloads.ts'
import { deletedAt, objectProblems, sizesBelow } from './files.ts'
import { checkSnapshotObject, isSnapshotObject } from './index-snapshots.ts'
import type { Library, Subject } from './library.ts'
import { numbersOf } from './numbers.ts'
import { type Problem, problem } from './problem.ts'
import { checkVideoObject, isVideoObject } from './videos.ts'
import { checkZipObject, isZipObject } from './zips.ts'

/** Objects that are no longer needed are removed within minutes: after an hour something is stuck. */
const REMOVED_WITHIN_MS = 3_600_000

/** Yields the problems of an object that belongs to no file. */
export async function* checkObject(library: Library, object: string): AsyncGenerator<Problem> {
  if (isDownloadObject(object)) yield* checkDownloadObject(library, object)
  else if (isZipObject(object)) yield* checkZipObject(library, object)
  else if (isSnapshotObject(object)) yield* checkSnapshotObject(library, object)
  else if (isVideoObject(object)) yield* checkVideoObject(library, object)
  else if (isLogo(object)) yield* checkLogo(library, object)
  else yield* checkProfileImage(library, object)
}

const isLogo = (object: string): boolean => object.startsWith(LOGOS)

async function* checkLogo({ table, media: objects, clock }: Library, object: string): AsyncGenerator<Problem> {
  const [, id] = /^logos\/(\d+)\.[\da-f-]{36}\.(?:svg|png)$/.exec(object) ?? []
  if (id === undefined) return yield problem('unknown_object', { object })
  const companyId = toCompanyId(Number(id))
  const brand = await brandOf({ table }, companyId)
  if (brand?.logo !== undefined && logoKey({ companyId, logo: brand.logo }) === object) return
  const stored = await objects?.head(object)
  // A new logo is stored before the brand names it.
  if (stored && stored.modified <= clock.now() - REMOVED_WITHIN_MS) yield problem('logo_unused', { company_id: companyId, object })
}

async function* checkProfileImage({ table, media: objects, clock }: Library, object: string): AsyncGenerator<Problem> {
  const image = readProfileImageKey(object)
  const user = image && (await findUser({ table }, image.userId))
  if (user && user.profileImage === image.version) return
  const stored = await objects?.head(object)
  if (!stored) return
  if (!image) return yield problem('unknown_object', { object })
  const ids = { user_id: image.userId, object }
  if (!user) yield problem('profile_image_without_user', ids)
  // A new image is stored before its user's record names it.
  else if (stored.modified <= clock.now() - REMOVED_WITHIN_MS) yield problem('profile_image_unused', ids)
}

/** Yields the problems of a file's objects, without those of other records. */
export async function* checkObjectsOfFile(library: Library, prefix: string, found?: Subject['sizes']): AsyncGenerator<Problem> {
  const { table, media: objects, clock } = library
  if (!objects) return
  const [company_id, media_id] = prefix.split('/').map(Number) as [number, number]
  const mediaId = toMediaId(media_id)
  const media = await getMedia({ table }, mediaId)
  const isKnown = media?.companyId === company_id
  if (isKnown) {
    if (!isAvailable(media)) return
    if (hasFile(media)) {
      const sizes = found ?? (await sizesBelow(objects, prefix))
      return yield* objectProblems(media, await numbersOf(library, media, sizes.keys()), sizes)
    }
  }
  const tombstone = await getTombstone({ table }, mediaId)
  if (tombstone && deletedAt(tombstone) > clock.now() - REMOVED_WITHIN_MS) return
  const page = await objects.list(prefix, { limit: 1 })
  if (page.objects.length) yield problem(isKnown ? 'object_unexpected' : 'objects_without_file', { company_id, media_id, object: prefix })
}
