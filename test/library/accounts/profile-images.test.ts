import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { EmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { profileImageSizes, readProfileImage, storeProfileImage } from '../../../shared/library/accounts/profile-images.ts'
import { findUser } from '../../../shared/library/accounts/users.ts'
import { openProfileImageMaker } from '../../../shared/tools/imaging/profile-image-process.ts'
import { openTestCompany, openTestObjects, openTestTable } from '../../support/library.ts'
import { images } from '../../support/pictures/index.ts'

describe('stored profile images', () => {
  async function open() {
    const profileImages = openTestObjects()
    const library = openTestTable()
    const { userId } = (await openTestCompany(library)).user.user
    const user = async () => (await findUser(library, userId))!
    return { ...library, profileImages, profileImageMaker: openProfileImageMaker(), userId, user }
  }

  const keysIn = async (objects: EmbeddedObjects) => (await objects.list('')).objects.map(({ key }) => key)

  test('of an earlier version, all in one object, are shown until another one comes', async () => {
    const { userId, user, ...store } = await open()
    const files = profileImageSizes.map((size) => Buffer.alloc(size === 'original' ? 100_000 : 1_000, size))
    const header = Buffer.alloc(16)
    for (const [at, { length }] of files.entries()) header.writeUInt32BE(length, at * 4)
    await store.profileImages.put(`profiles/${userId}`, Buffer.concat([header, ...files]), { contentType: 'application/octet-stream' })
    for (const [at, size] of profileImageSizes.entries()) {
      assert.deepEqual(await readProfileImage(store, await user(), size), files[at])
    }
    await storeProfileImage(store, userId, await images['plain.jpg']())
    assert.notDeepEqual(await readProfileImage(store, await user(), 'small'), files[0])
    assert.equal((await keysIn(store.profileImages)).length, profileImageSizes.length)
  })
})
