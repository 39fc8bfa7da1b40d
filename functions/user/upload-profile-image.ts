import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { UserIdText } from '../../shared/http/declaration/fields.ts'
import { multipartFile } from '../../shared/http/declaration/multipart.ts'
import { created } from '../../shared/http/declaration/results.ts'
import { changeableUser } from '../../shared/library/access/people.ts'
import { MAX_PROFILE_IMAGE_BYTES, storeProfileImage } from '../../shared/library/accounts/profile-images.ts'

export const uploadProfileImage = endpoint({
  route: 'POST /user/{id}/profileimage',
  summary: "Set a user's profile image: one's own, or as an admin of their own company",
  description:
    'Takes JPEG, PNG, WebP and GIF of up to 50 million pixels; what is no such picture is a 400 with the code `unusable_picture`. ' +
    'For users themselves, and admins of their own company. When too many wait it is 429.',
  access: 'user',
  uses: { table: 'write', profileImages: 'write', profileImageMaker: 'use' },
  idempotent: true,
  params: { id: UserIdText },
  body: multipartFile('file', MAX_PROFILE_IMAGE_BYTES, ['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
  also: ['created'],
  refuses: ['forbidden', 'too many'],
  timeoutSeconds: 29,
  // One whole core. Decoding the largest pictures takes some 600 MB.
  memoryMb: 1769,
  async handle({ params, body, ...library }) {
    const { userId } = await changeableUser(library, params.id)
    await storeProfileImage(library, userId, body)
    return created()
  },
})
