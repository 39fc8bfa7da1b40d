import assert from 'node:assert/strict'
import { test } from 'vitest'
import { profileImageKeys, readProfileImage, storeProfileImage } from '../../../shared/library/accounts/profile-images.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { openProfileImageMaker } from '../../../shared/tools/imaging/profile-image-process.ts'
import { openTestCompany, openTestObjects, openTestTable } from '../../support/library.ts'
import { images } from '../../support/pictures/index.ts'

test('another profile image takes the place of all sizes of the one before', async () => {
  const library = { ...openTestTable(), profileImages: openTestObjects(), profileImageMaker: openProfileImageMaker() }
  const { userId } = (await openTestCompany(library)).user.user
  const shown = async () => readProfileImage(library, (await findUser(library, userId))!, 'small')
  await storeProfileImage(library, userId, await images['plain.jpg']())
  const first = await shown()
  await storeProfileImage(library, userId, await images['plain.png']())
  assert.notDeepEqual(await shown(), first)
  const { profileImage } = (await findUser(library, userId))!
  const keys = (await library.profileImages.list('')).objects.map(({ key }) => key)
  assert.deepEqual(keys.sort(), profileImageKeys(userId, profileImage!).sort())
})
