import { constants, copyFile, open } from 'node:fs/promises'
import { labProfile } from './lab-profile.ts'
import { shownTiffPicture, TAGS, type TiffDirectory } from './tiff-directories.ts'

/** Values of PhotometricInterpretation. */
const RGB = 2
const labKinds: { readonly [photometric: number]: { isSigned: boolean } } = { 8: { isSigned: true }, 9: { isSigned: false } }
/** TIFF's type of the profile: opaque bytes. */
const UNDEFINED = 7

/**
 * Writes a TIFF in Lab as one in RGB with a profile: a copy with a new directory at its end.
 * @returns whether the picture is in Lab; otherwise nothing is written
 */
export async function writeLabTiff(path: string, into: string): Promise<boolean> {
  const shown = await shownTiffPicture(path)
  const kind = labKinds[shown?.photometric ?? 0]
  if (!shown || !kind) return false
  await copyFile(path, into, constants.COPYFILE_FICLONE)
  const file = await open(into, 'r+')
  try {
    const { size } = await file.stat()
    const { directory } = shown
    const profile = labProfile(kind.isSigned)
    // Directories must be at even offsets.
    const start = size + (size % 2)
    await file.write(profile, 0, profile.length, start)
    const at = start + profile.length + (profile.length % 2)
    const written = directoryBytes(directory, { offset: start, bytes: profile.length })
    await file.write(written, 0, written.length, at)
    const first = number(directory, at, directory.big ? 8 : 4)
    await file.write(first, 0, first.length, directory.big ? 8 : 4)
    return true
  } finally {
    await file.close()
  }
}

/** The directory rewritten for a picture in RGB with a profile, and as the last directory. All samples become unsigned integers. */
function directoryBytes(directory: TiffDirectory, profile: { offset: number; bytes: number }): Buffer {
  const { big, entries } = directory
  const [countBytes, valueBytes] = big ? [8, 8] : [2, 4]
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([number(directory, tag, 2), number(directory, type, 2), number(directory, count, valueBytes), value])
  const tagOf = (bytes: Buffer) => (directory.little ? bytes.readUInt16LE() : bytes.readUInt16BE())
  const replaced: readonly number[] = [
    TAGS.photometric,
    TAGS.profile,
    TAGS.subifds,
    TAGS.subfileType,
    TAGS.oldSubfileType,
    TAGS.sampleFormat,
  ]
  const all = [
    ...entries.filter((bytes) => !replaced.includes(tagOf(bytes))),
    entry(TAGS.photometric, 3, 1, Buffer.concat([number(directory, RGB, 2), Buffer.alloc(valueBytes - 2)])),
    entry(TAGS.profile, UNDEFINED, profile.bytes, number(directory, profile.offset, valueBytes)),
  ].sort((one, other) => tagOf(one) - tagOf(other))
  return Buffer.concat([number(directory, all.length, countBytes), ...all, number(directory, 0, valueBytes)])
}

function number({ little }: TiffDirectory, value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes)
  if (bytes === 8) written.writeBigUInt64BE(BigInt(value))
  else written.writeUIntBE(value, 0, bytes)
  return little ? written.reverse() : written
}
