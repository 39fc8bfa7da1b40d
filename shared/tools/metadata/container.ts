import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Workspace } from '../workspace.ts'
import type { Assignment } from './assignment.ts'
import { assertSameXmp, replacePacket } from './image-data/xmp-segment.ts'
import { writePacket } from './xmp-packet/write.ts'

/** Writes assignments into a copy of a file. */
export type WriteAssignments = (source: string, target: string, assigned: readonly Assignment[]) => Promise<void>

/**
 * Writes a copy of one of Google's containers. ExifTool would write all of the XMP anew, under other prefixes, and phones read this part as text:
 * they would no longer find the film. So the text of the packet is changed, and ExifTool writes all but XMP. Containers find what lies behind their
 * image from the end of the file.
 * @param write writes what is not in XMP
 * @throws ToolFailed where the XMP can't be changed, or isn't as it was made, and what `write` throws
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
