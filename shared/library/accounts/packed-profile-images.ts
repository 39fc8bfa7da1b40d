import { buffer } from 'node:stream/consumers'
import { ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'

/**
 * Profile images of earlier versions: all sizes in one object. They are read until the user uploads another one. This file can go once no library
 * holds an object with such a key.
 */
export const packedProfileImageKey = (userId: UserId) => `profiles/${userId}`

/** The object starts with the length in bytes of each size (32 bits, big endian). The JPEG files follow in this order. */
const packedSizes = ['small', 'medium', 'large', 'original'] as const
const HEADER_BYTES = 4 * packedSizes.length
/** Bytes at the start that hold all sizes but the original. */
const HEAD_BYTES = 64 * 1024

/** @returns undefined for users without such an image */
export async function readPackedProfileImage(
  { profileImages }: { profileImages: ObjectReader },
  userId: UserId,
  size: (typeof packedSizes)[number],
): Promise<Buffer | undefined> {
  const range = size === 'original' ? undefined : { start: 0, end: HEAD_BYTES - 1 }
  try {
    const { stream } = await profileImages.get(packedProfileImageKey(userId), range)
    const packed = await buffer(stream)
    const lengths = packedSizes.map((_, at) => packed.readUInt32BE(at * 4))
    const at = packedSizes.indexOf(size)
    const start = lengths.slice(0, at).reduce((sum, length) => sum + length, HEADER_BYTES)
    return packed.subarray(start, start + lengths[at]!)
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}
