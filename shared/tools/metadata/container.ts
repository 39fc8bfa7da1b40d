import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Workspace } from '../workspace.ts'
import type { Assignment } from './assignment.ts'
import { assertSameXmp, replacePacket } from './image-data/xmp-segment.ts'
import { writePacket } from './xmp-packet/write.ts'

/** Writes assignments into a copy of a file. */
export type WriteAssignments = (source: string, target: string, assigned: readonly Assignment[]) => Promise<void>

/**
 * Writes a copy of one of Google's containers. ExifTool would rewrite all XMP with other prefixes. Phones parse it as plain text, so they
 * would not find the film. This function edits the packet's text instead, and ExifTool writes everything except XMP. Containers locate what
 * follows their image from the end of the file, so a longer packet does no harm.
 * @param write writes what is not in XMP
 * @throws ToolFailed if the XMP can't be changed, or differs afterwards; and what `write` throws
 */
export async function writeContainer(
  source: string,
  target: string,
  assigned: readonly Assignment[],
  write: WriteAssignments,
): Promise<void> {
  await using workspace = await Workspace.open('container', dirname(target))
  const spliced = workspace.path('spliced')
  const isXmp = ({ tag }: Assignment) => tag.startsWith('XMP-')
  const others = assigned.filter((assignment) => !isXmp(assignment))
  await replacePacket(source, spliced, (packet) => writePacket(packet, assigned.filter(isXmp)))
  if (others.length === 0) return await rename(spliced, target)
  await write(spliced, target, others)
  await assertSameXmp(spliced, target)
}
