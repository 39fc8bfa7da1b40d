import { rm, stat } from 'node:fs/promises'
import { ToolFailed } from '../failure.ts'
import type { Assignment } from './assignment.ts'
import { assignments } from './assignments.ts'
import { iptcName } from './character-sets.ts'
import { type WriteAssignments, writeContainer } from './container.ts'
import type { RunExifTool } from './exiftool-process.ts'
import { type WrittenFields, writable } from './fields.ts'
import { assertSameImage, readImage } from './image-data/compare.ts'
import { repointPictures } from './image-data/multi-picture.ts'
import type { Piece } from './image-data/pieces.ts'
import { hasCredentials, isContainer, isTextOf, type PresentTags, readPresentTags } from './present.ts'
import { withoutImage } from './without-image.ts'
import { writeOptions } from './write-options.ts'

export interface WriteOptions {
  /** Whether to write even if that breaks the file's Content Credentials (C2PA). */
  breaksCredentials?: boolean
}

/**
 * Writes a copy of a file with the fields, and verifies its tags and image data.
 * @throws ToolFailed, and what `run` throws; then the target may exist, incomplete or wrong
 */
export async function writeVerified(
  run: RunExifTool,
  source: string,
  target: string,
  fields: WrittenFields,
  { breaksCredentials = false }: WriteOptions = {},
): Promise<void> {
  const image = await readImage(source)
  const before = await readPresentTags(run, source)
  if (hasCredentials(before) && !breaksCredentials) throw new ToolFailed('writing would break the Content Credentials of the file')
  const assigned = assignments(writable(fields), before)
  const copy = async (...options: string[]) => {
    const write: WriteAssignments = (from, to, some) =>
      withoutImage(from, to, async (bare, written) => {
        const { errors } = await run([...options, ...writeOptions(some, before), '-o', written], bare)
        if (!(await stat(written).catch(() => undefined))) throw new ToolFailed(`ExifTool wrote nothing: ${errors}`)
      })
    if (isContainer(before)) await writeContainer(source, target, assigned, write)
    else await write(source, target, assigned)
    await repointPictures(source, target)
    return differences(assigned, before, await verifiedTags(run, { source, image, target }))
  }
  let wrong = await copy()
  if (wrong.length > 0 && wrong.every((tag) => iptcName(tag).startsWith('IPTC:'))) {
    // Re-encoded IPTC texts may exceed their limit: 32 bytes of Latin-1 may take 64 in UTF-8. ExifTool cuts them unless told to ignore
    // minor errors (`-m`). There are no other minor errors, because the first attempt would have failed.
    await rm(target)
    wrong = await copy('-m')
  }
  if (wrong.length > 0) throw new ToolFailed(`ExifTool wrote something else to ${wrong.join(', ')}`)
}

/** Reads the tags of a copy, and checks its image data. @throws ToolFailed if the image data differs */
async function verifiedTags(
  run: RunExifTool,
  { source, image, target }: { source: string; image: readonly Piece[]; target: string },
): Promise<PresentTags> {
  // Waits for both, even if one fails: an ExifTool that is still reading can't run another command.
  const [tags, compared] = await Promise.allSettled([readPresentTags(run, target), assertSameImage(source, image, target)])
  if (compared.status === 'rejected') throw compared.reason
  if (tags.status === 'rejected') throw tags.reason
  return tags.value
}

/** Tags with wrong values: assigned ones must have the new values, all others the old ones. */
function differences(assigned: readonly Assignment[], before: PresentTags, after: PresentTags): string[] {
  const isAssigned = (name: string) =>
    assigned.some(({ tag, values }) => (values.length === 0 ? isTextOf(tag, name) : tag === iptcName(name)))
  const kept = [...before].filter(([name]) => !isAssigned(name) && !CHANGING.has(iptcName(name)))
  const expected = [...assigned, ...kept.map(([tag, values]) => ({ tag, values }))]
  const wrong = expected.filter(({ tag, values }) => !equal(after.get(tag) ?? [], values))
  const gone = assigned.filter(({ values }) => values.length === 0)
  const left = [...after.keys()].filter((name) => gone.some(({ tag }) => isTextOf(tag, name)))
  return [...wrong.map(({ tag }) => tag), ...left]
}

/** Tags that may change: those about the file, and about the form of its IPTC. A record that becomes empty loses its version. */
const CHANGING = new Set([
  'SourceFile',
  'IPTC:CodedCharacterSet',
  'IPTC:EnvelopeRecordVersion',
  'IPTC:ApplicationRecordVersion',
  'Photoshop:IPTCDigest',
])

function equal(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index])
}
