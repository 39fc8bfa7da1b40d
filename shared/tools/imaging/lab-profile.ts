const [HEADER_BYTES, TABLE_BYTES] = [128, 256]

/**
 * An ICC profile that presents CIE L*a*b* samples (D50) as RGB samples of a device, so that Little CMS converts them. libvips assumes
 * another white for Lab and supports few of TIFF's forms of it. The profile's only table is the identity. ICC.1:2022, 10.10.
 * @param isSigned whether a* and b* are signed, as in TIFF's CIELab; else they have an offset of half the range
 */
export function labProfile(isSigned: boolean): Buffer {
  const table = Buffer.concat([lutHeader(), inputTables(isSigned), grid(), Buffer.concat([identity, identity, identity])])
  const start = HEADER_BYTES + 4 + 12
  const profile = Buffer.alloc(start + table.length)
  profile.writeUInt32BE(profile.length, 0)
  profile.writeUInt32BE(0x02400000, 8)
  profile.write('scnrRGB Lab ', 12, 'latin1')
  profile.write('acsp', 36, 'latin1')
  // The illuminant of the connection space, D50.
  for (const [index, value] of [0xf6d6, 0x10000, 0xd32d].entries()) profile.writeUInt32BE(value, 68 + index * 4)
  profile.writeUInt32BE(1, HEADER_BYTES)
  profile.write('A2B0', HEADER_BYTES + 4, 'latin1')
  profile.writeUInt32BE(start, HEADER_BYTES + 8)
  profile.writeUInt32BE(table.length, HEADER_BYTES + 12)
  table.copy(profile, start)
  return profile
}

const identity = Buffer.from(Array.from({ length: TABLE_BYTES }, (_, value) => value))

/** Three input and output channels, a grid of two points a side, and the identity matrix. */
function lutHeader(): Buffer {
  const header = Buffer.alloc(48)
  header.write('mft1', 'latin1')
  header.set([3, 3, 2, 0], 8)
  for (const at of [12, 28, 44]) header.writeUInt32BE(0x10000, at)
  return header
}

function inputTables(isSigned: boolean): Buffer {
  const half = TABLE_BYTES / 2
  // Little CMS takes three zeros for black. So the lowest a* and b*, which no colour has, become 0 (neutral).
  const chroma = isSigned
    ? Buffer.concat([identity.subarray(half), identity.subarray(0, half)])
    : Buffer.concat([Buffer.of(half), identity.subarray(1)])
  return Buffer.concat([identity, chroma, chroma])
}

/** The corners of the cube, the last channel first. */
const grid = (): Buffer =>
  Buffer.from(Array.from({ length: 8 }, (_, corner) => [corner & 4, corner & 2, corner & 1].map((bit) => (bit ? 255 : 0))).flat())
