import { endpoint } from '../../shared/http/endpoint.ts'
import { ProfileImage, profileImageFile } from './profile-image.ts'
import { UserParams } from './schema.ts'

export const getProfileImage = endpoint({
  route: 'GET /user/{id}/profileimage',
  summary: "Get a user's profile image, 25x25",
  access: 'user',
  uses: { table: 'read', profileImages: 'read' },
  params: UserParams,
  returns: ProfileImage,
  async handle({ params, ...used }) {
    return profileImageFile(used, params.id, 'small')
  },
})
