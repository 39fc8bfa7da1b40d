import type { Sniffed } from './sniffed.ts'

const dv: Sniffed = { kind: 'video', mime: 'video/x-dv', extension: 'dv' }

/** Bytes of a block, and a block's section: its first three bits (IEC 61834-2). */
const BLOCK = 80
const sectionOf = (head: Buffer, block: number) => head[block * BLOCK]! >> 5

/** Sections of a frame's first blocks: header, two of subcode, three of VAUX, and sound. */
const SECTIONS = [0, 1, 1, 2, 2, 2, 3]

/** Detects raw digital video from DV, DVCAM and DVCPRO tapes: frames in blocks, without a container. */
export function sniffDigitalVideo(head: Buffer): Sniffed | undefined {
  // The first header of a frame. Its last byte distinguishes 525 and 625 lines.
  if (head.length < SECTIONS.length * BLOCK || !/^1f0700[3b]f$/.test(head.toString('hex', 0, 4))) return undefined
  return SECTIONS.every((section, block) => sectionOf(head, block) === section) ? dv : undefined
}
