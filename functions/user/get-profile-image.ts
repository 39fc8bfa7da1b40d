import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { ProfileImage, profileImageFile } from './profile-image.ts'

export const getProfileImage = endpoint({
  route: 'GET /user/{id}/profileimage',
  summary: "Get a user's profile image, 25x25",
  description:
    "A JPEG of 25x25 pixels; a picture of everybody's where the user has none. 404 for users with whom the caller shares no " + 'company.',
  access: 'user',
  uses: { table: 'read', profileImages: 'read' },
  params: { id: UserIdText },
  returns: ProfileImage,
  async handle({ params, ...library }) {
    return profileImageFile(library, params.id, 'small')
  },
})
