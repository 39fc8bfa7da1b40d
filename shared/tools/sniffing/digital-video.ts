import type { Sniffed } from './sniffed.ts'

const dv: Sniffed = { kind: 'video', mime: 'video/x-dv', extension: 'dv' }

/** Bytes of a block, and the section that a block belongs to: the first three bits of it (IEC 61834-2). */
const BLOCK = 80
const sectionOf = (head: Buffer, block: number) => head[block * BLOCK]! >> 5

/** The first blocks of a frame, by their sections: a header, two of subcode, three of VAUX, and sound. */
const SECTIONS = [0, 1, 1, 2, 2, 2, 3]

/** Raw digital video, as tapes of DV, DVCAM and DVCPRO hold it: frames in blocks, without a container. */
export function sniffDigitalVideo(head: Buffer): Sniffed | undefined {
  // The first header of a frame: its last byte tells 525 from 625 lines.
  if (head.length < SECTIONS.length * BLOCK || !/^1f0700[3b]f$/.test(head.toString('hex', 0, 4))) return undefined
  return SECTIONS.every((section, block) => sectionOf(head, block) === section) ? dv : undefined
}
