import type { ObjectReader } from '../../shared/backends/objects/port.ts'
import type { TableReader } from '../../shared/backends/table/port.ts'
import type { AnsweredFile } from '../../shared/http/results.ts'
import type { Access } from '../../shared/library/access/access.ts'
import { knownUser } from '../../shared/library/access/people.ts'
import { type ProfileImageSize, readProfileImage } from '../../shared/library/accounts/profile-images.ts'

/** What both ways to a profile image answer with. */
export const ProfileImage = { mediaType: 'image/jpeg' } as const

/** The profile image of a user whom the caller may know. @throws NotFound */
export async function profileImageFile(
  { table, access, profileImages }: { table: TableReader; access: Access; profileImages: ObjectReader },
  userId: number,
  size: ProfileImageSize,
): Promise<AnsweredFile> {
  const { user } = await knownUser(table, access, userId)
  return { bytes: await readProfileImage({ table, profileImages }, user, size), filename: `${size}_${userId}.jpg` }
}
