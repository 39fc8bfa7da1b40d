import { stat } from 'node:fs/promises'
import { ToolFailed } from '../failure.ts'
import { type Assignment, assignments, isTextOf } from './assignments.ts'
import type { Answer } from './exiftool-process.ts'
import { type WrittenFields, writable } from './fields.ts'
import { assertSameImage } from './image-data/compare.ts'
import { repointPictures } from './image-data/multi-picture.ts'
import { type PresentTags, parsePresentTags, presentTagsOptions } from './present.ts'
import { writeOptions } from './write-options.ts'

/** Runs ExifTool on a file. */
export type RunExifTool = (options: readonly string[], path: string) => Promise<Answer>

/**
 * Writes a copy of a file that carries the fields. The copy is read again: it says what it is to say, and the image's bytes are those of the file.
 * @throws ToolFailed, and what `run` throws; then the target may be there, unfinished or wrong
 */
export async function writeVerified(run: RunExifTool, source: string, target: string, fields: WrittenFields): Promise<void> {
  const before = await presentTags(run, source)
  const assigned = assignments(writable(fields), before)
  const { errors } = await run([...writeOptions(assigned, before), '-o', target], source)
  if (!(await stat(target).catch(() => undefined))) throw new ToolFailed(`ExifTool wrote nothing: ${errors}`)
  await repointPictures(source, target)
  // Both are waited for, also when one fails: an ExifTool that still reads can do nothing else.
  const [after, image] = await Promise.allSettled([presentTags(run, target), assertSameImage(source, target)])
  if (image.status === 'rejected') throw image.reason
  if (after.status === 'rejected') throw after.reason
  checkTags(assigned, before, after.value)
}

async function presentTags(run: RunExifTool, path: string): Promise<PresentTags> {
  const { printed, errors } = await run(presentTagsOptions, path)
  if (printed.length === 0) throw new ToolFailed(`ExifTool printed nothing: ${errors}`)
  return parsePresentTags(printed.toString())
}

/** Compares what a file says with what it is to say: the assigned values, and otherwise what it said before. @throws ToolFailed */
function checkTags(assigned: readonly Assignment[], before: PresentTags, after: PresentTags): void {
  for (const { tag, values } of assigned) {
    const found = [...after].filter(([name]) => isTextOf(tag, name))
    if (!equal(after.get(tag) ?? [], values) || (values.length === 0 && found.length > 0))
      throw new ToolFailed(`ExifTool wrote something else to ${tag}`)
  }
  for (const [name, values] of before) {
    const isKept = !assigned.some(({ tag }) => isTextOf(tag, name)) && !CHANGING.has(name)
    if (isKept && !equal(after.get(name) ?? [], values)) throw new ToolFailed(`ExifTool changed ${name}`)
  }
}

/** What describes the file, or the form that IPTC is in; a record that becomes empty loses its version. */
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
