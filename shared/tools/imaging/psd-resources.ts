const profileResource = 1039

/**
 * The colour profile in a Photoshop file's image resources. These are blocks of `8BIM`, id, Pascal string, length and data, each padded to
 * even length.
 */
export function iccProfile(resources: Buffer): Buffer | undefined {
  let at = 0
  while (at + 12 <= resources.length && resources.toString('latin1', at, at + 4) === '8BIM') {
    const id = resources.readUInt16BE(at + 4)
    const nameBytes = 1 + resources[at + 6]!
    const lengthAt = at + 6 + nameBytes + (nameBytes % 2)
    if (lengthAt + 4 > resources.length) return undefined
    const length = resources.readUInt32BE(lengthAt)
    if (id === profileResource) return resources.subarray(lengthAt + 4, lengthAt + 4 + length)
    at = lengthAt + 4 + length + (length % 2)
  }
  return undefined
}
