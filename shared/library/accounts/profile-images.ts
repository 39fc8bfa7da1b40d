import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { ObjectMissing, type ObjectReader, type Objects } from '../../backends/objects/port.ts'
import { defaultProfileImage } from '../../tools/default-profile-image.ts'
import { ToolBusy, ToolFailed } from '../../tools/failure.ts'
import type { ProfileImageMaker } from '../../tools/imaging/profile-image-process.ts'
import { toUserId, type UserId } from '../../vocabulary/ids.ts'
import { afterCommit } from '../concurrency/after-commit.ts'
import { Busy, Invalid } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { findUser, setProfileImage, type UserRecord } from './users.ts'

/** Key prefix of all profile images. */
export const PROFILE_IMAGES = 'profiles/'

/** The sizes of a profile image. */
export const profileImageSizes = ['small', 'medium', 'large', 'original'] as const

export type ProfileImageSize = (typeof profileImageSizes)[number]

/** Largest uploaded picture and stored original, in bytes: fits into a function's response in base64. */
export const MAX_PROFILE_IMAGE_BYTES = 4 * 1024 * 1024

/** `Retry-After` in seconds. */
const RETRY_SECONDS = 5

/** The key of one size. Versions are immutable, and the user's record names the current one, so all sizes change at once. */
export function profileImageKey(userId: UserId, version: string, size: ProfileImageSize): string {
  return `${profileImagesOf(userId)}${version}.${size}`
}

/** Key prefix of a user's images. The dot keeps it from matching longer ids. */
export const profileImagesOf = (userId: UserId): string => `${PROFILE_IMAGES}${userId}.`

/** The keys of all sizes. */
export const profileImageKeys = (userId: UserId, version: string): string[] =>
  profileImageSizes.map((size) => profileImageKey(userId, version, size))

/** Parses a key of `profileImageKey`. Undefined for other keys. */
export function readProfileImageKey(key: string): { userId: UserId; version: string } | undefined {
  const [, userId, version] = /^profiles\/(\d+)\.([\da-f-]{36})\.(?:small|medium|large|original)$/.exec(key) ?? []
  return userId && version ? { userId: toUserId(Number(userId)), version } : undefined
}

/** Dependencies of `storeProfileImage`. */
export interface ProfileImageStore extends Writing {
  profileImages: Pick<Objects, 'put' | 'delete'>
  profileImageMaker: ProfileImageMaker
}

/**
 * Replaces the user's profile image. A crash may leave orphaned objects, which `check` finds.
 * @throws Invalid for unusable pictures, Busy when too many are being made
 */
export async function storeProfileImage(library: ProfileImageStore, userId: UserId, picture: Buffer): Promise<void> {
  const { profileImages, profileImageMaker } = library
  const made = await profileImageMaker(picture, MAX_PROFILE_IMAGE_BYTES).catch((error: unknown) => {
    if (error instanceof ToolBusy) throw new Busy(RETRY_SECONDS)
    throw error instanceof ToolFailed ? new Invalid({ path: 'file', message: error.message }, 'unusable_picture') : error
  })
  const version = randomUUID()
  const put = (size: ProfileImageSize) =>
    profileImages.put(profileImageKey(userId, version, size), made[size], { contentType: 'image/jpeg' })
  await Promise.all(profileImageSizes.map(put))
  const replaced = await setProfileImage(library, userId, version)
  if (replaced) await afterCommit(library.table, () => profileImages.delete(profileImageKeys(userId, replaced)))
}

/** @returns the user's profile image, a JPEG, or the default one */
export async function readProfileImage(
  library: Reading & { profileImages: ObjectReader },
  { userId, profileImage }: Pick<UserRecord, 'userId' | 'profileImage'>,
  size: ProfileImageSize,
): Promise<Buffer> {
  if (profileImage === undefined) return defaultProfileImage(size)
  try {
    const { stream } = await library.profileImages.get(profileImageKey(userId, profileImage, size))
    return await buffer(stream)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    const user = await findUser(library, userId)
    // Another image may have replaced it since the record was read.
    if (user && user.profileImage !== profileImage) return readProfileImage(library, user, size)
    return defaultProfileImage(size)
  }
}
