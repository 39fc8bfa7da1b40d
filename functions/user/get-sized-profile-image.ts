import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { profileImageSizes } from '../../shared/library/accounts/profile-images.ts'
import { ProfileImage, profileImageFile } from './profile-image.ts'

export const getSizedProfileImage = endpoint({
  route: 'GET /user/{id}/profileimage/{size}',
  summary: "Get a user's profile image: 25x25, 50x50, 100x100, or the whole picture",
  description:
    '`small` is 25x25 pixels, `medium` 50x50, `large` 100x100, all the same square of the picture; `original` is the whole of it, ' +
    'at most 4,096 pixels. 404 for users with whom the caller shares no company.',
  access: 'user',
  uses: { table: 'read', profileImages: 'read' },
  params: { id: UserIdText, size: z.enum(profileImageSizes) },
  returns: ProfileImage,
  async handle({ params, ...library }) {
    return profileImageFile(library, params.id, params.size)
  },
})
