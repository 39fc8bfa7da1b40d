import { buffer } from 'node:stream/consumers'
import { ObjectMissing, type ObjectReader, type Objects } from '../../backends/objects/port.ts'
import { defaultProfileImage } from '../../tools/default-profile-image.ts'
import { ToolBusy, ToolFailed } from '../../tools/failure.ts'
import { Busy, Invalid } from '../errors.ts'

/** Key prefix of all profile images. */
export const PROFILE_IMAGES = 'profiles/'

const keyOf = (userId: number) => `${PROFILE_IMAGES}${userId}`

/** The sizes of a profile image, in the order in which they are stored. */
export const profileImageSizes = ['small', 'medium', 'large', 'original'] as const

export type ProfileImageSize = (typeof profileImageSizes)[number]

/** Most bytes of a picture as sent, and of the original as kept: what an answer of a function holds in base64. */
export const MAX_PROFILE_IMAGE_BYTES = 4 * 1024 * 1024

/**
 * One object holds a user's image in all sizes, so that a single put replaces it: the length in bytes of each (32 bits, big endian), then
 * the JPEG files, in the order of `profileImageSizes`.
 */
const HEADER_BYTES = 4 * profileImageSizes.length
/** Bytes at the start in which all sizes but the original lie. */
const HEAD_BYTES = 64 * 1024

/** Seconds until some of the pictures that wait are done. */
const RETRY_SECONDS = 5

/** Makes a picture the user's profile image. @throws Invalid when it can't be one, Busy when too many are made at the moment */
export async function storeProfileImage(objects: Pick<Objects, 'put'>, userId: number, picture: Buffer): Promise<void> {
  // Loaded with the first upload only: who reads images, or imports this for its names, starts no processes.
  const { makeProfileImages } = await import('../../tools/imaging/profile-image-process.ts')
  const made = await makeProfileImages(picture, MAX_PROFILE_IMAGE_BYTES).catch((error: unknown) => {
    if (error instanceof ToolBusy) throw new Busy(RETRY_SECONDS)
    throw error instanceof ToolFailed ? new Invalid({ path: 'file', message: error.message }, 'unusable_picture') : error
  })
  await objects.put(keyOf(userId), pack(profileImageSizes.map((size) => made[size])), { contentType: 'application/octet-stream' })
}

/** @returns the user's profile image, a JPEG, or the one that stands for users without */
export async function readProfileImage(objects: ObjectReader, userId: number, size: ProfileImageSize): Promise<Buffer> {
  const range = size === 'original' ? undefined : { start: 0, end: HEAD_BYTES - 1 }
  try {
    const { stream } = await objects.get(keyOf(userId), range)
    return unpack(await buffer(stream), size)
  } catch (error) {
    if (error instanceof ObjectMissing) return defaultProfileImage(size)
    throw error
  }
}

function pack(files: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  for (const [at, { length }] of files.entries()) header.writeUInt32BE(length, at * 4)
  const packed = Buffer.concat([header, ...files])
  if (packed.length - files.at(-1)!.length > HEAD_BYTES) throw new Error('the small sizes of a profile image are larger than their place')
  return packed
}

/** @param packed at least as much of its start as holds the size */
function unpack(packed: Buffer, size: ProfileImageSize): Buffer {
  const lengths = profileImageSizes.map((_, at) => packed.readUInt32BE(at * 4))
  const at = profileImageSizes.indexOf(size)
  const start = lengths.slice(0, at).reduce((sum, length) => sum + length, HEADER_BYTES)
  return packed.subarray(start, start + lengths[at]!)
}
