import type { ObjectReader } from '../../shared/backends/objects/port.ts'
import type { AnsweredFile } from '../../shared/http/declaration/results.ts'
import type { AuthorizedReading } from '../../shared/library/access/access.ts'
import { knownUser } from '../../shared/library/access/people.ts'
import { type ProfileImageSize, readProfileImage } from '../../shared/library/accounts/profile-images.ts'

import type { UserId } from '../../shared/vocabulary/ids.ts'

/** Answer of both endpoints that read profile images. */
export const ProfileImage = { mediaType: 'image/jpeg' } as const

/** The profile image of a user whom the caller may know. @throws NotFound */
export async function profileImageFile(
  library: AuthorizedReading & { profileImages: ObjectReader },
  userId: UserId,
  size: ProfileImageSize,
): Promise<AnsweredFile> {
  const { user } = await knownUser(library, userId)
  return { bytes: await readProfileImage(library, user, size), filename: `${size}_${userId}.jpg` }
}
