/** A stream's sound to which silence is appended: AAC-LC of 48 kHz in fMP4, as made by both transcoders. */
export interface SilentTrack {
  id: number
  /** Ticks a second. */
  timescale: number
  /** When its sound ends, in ticks. */
  end: number
  /** An encoded frame of silence with its channels. */
  frame: Buffer
}

const SAMPLE_RATE = 48_000
const FRAME_SAMPLES = 1_024

/** Seconds of one frame. */
export const FRAME_SECONDS = FRAME_SAMPLES / SAMPLE_RATE

/** Frames of silence from ffmpeg's encoder, by number of channels. */
const frames: { [channels: number]: Buffer } = {
  2: Buffer.from('211004608c1c', 'hex'),
  6: Buffer.from('011820010880230460231004608c0c230000e0', 'hex'),
}

/** Object type of AAC-LC, and index of 48 kHz (ISO/IEC 14496-3, 1.6.2.1). */
const [LOW_COMPLEXITY, AT_48_KHZ] = [2, 3]

/**
 * Reads the parameters for silence after a sound.
 * @param init the sound's init section
 * @param last its last segment
 * @returns undefined for sounds that the service's transcoders don't make
 */
export function silentTrack(init: Buffer, last: Buffer): SilentTrack | undefined {
  const [header] = inside(init, 'moov', 'trak', 'tkhd')
  const [media] = inside(init, 'moov', 'trak', 'mdia', 'mdhd')
  const fragment = inside(last, 'moof', 'traf').at(-1)
  const [time] = fragment ? inside(fragment, 'tfdt') : []
  const frame = frameLike(init)
  if (!header || !media || !fragment || !time || !frame) return undefined
  // Creation and modification times precede it, with 4 bytes each, or 8.
  const afterTimes = (box: Buffer) => box.readUInt32BE(box[0] === 0 ? 12 : 20)
  const timescale = afterTimes(media)
  const begin = time[0] === 0 ? time.readUInt32BE(4) : Number(time.readBigUInt64BE(4))
  const count = inside(fragment, 'trun').reduce((sum, run) => sum + run.readUInt32BE(4), 0)
  return { id: afterTimes(header), timescale, end: begin + ticks(timescale, count), frame }
}

/** Makes a segment of silence. @param after frames of silence before it @param count frames in it */
export function silentSegment({ id, timescale, end, frame }: SilentTrack, after: number, count: number): Buffer {
  const begin = Buffer.alloc(8)
  begin.writeBigUInt64BE(BigInt(end + ticks(timescale, after)))
  // Flags: offsets are relative to the fragment; all frames have the same duration and size, and are sync samples.
  const header = box('tfhd', words(0x02_00_38, id, ticks(timescale, 1), frame.length, 0x02_00_00_00))
  const fragment = (offset: number) =>
    box(
      'moof',
      box('mfhd', words(0, after + 1)),
      box('traf', header, box('tfdt', words(0x01_00_00_00), begin), box('trun', words(1, count, offset))),
    )
  const data = box('mdat', Buffer.alloc(count * frame.length, frame))
  return Buffer.concat([fragment(fragment(0).length + 8), data])
}

const ticks = (timescale: number, count: number) => Math.round((count * FRAME_SAMPLES * timescale) / SAMPLE_RATE)

/** A frame of silence with the channels of an init section's sound, from the decoder's configuration (`esds`, ISO/IEC 14496-1, 7.2.6). */
function frameLike(init: Buffer): Buffer | undefined {
  let at = init.indexOf('esds')
  if (at === -1) return undefined
  at += 8
  // Descriptors of the stream and its decoder contain the configuration. The top bit of each length byte tells whether another follows.
  for (const fixed of [3, 13, 0]) {
    at += 1
    while (init[at]! & 0x80) at += 1
    at += 1 + fixed
  }
  const configuration = init.length < at + 2 ? 0 : init.readUInt16BE(at)
  if (configuration >> 11 !== LOW_COMPLEXITY || ((configuration >> 7) & 15) !== AT_48_KHZ) return undefined
  return frames[(configuration >> 3) & 15]
}

/** Contents of all boxes on a path (ISO/IEC 14496-12, 4.2). */
function inside(bytes: Buffer, type: string, ...rest: readonly string[]): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) break
    const content = bytes.subarray(at + 8, at + size)
    const [next, ...others] = rest
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(...(next ? inside(content, next, ...others) : [content]))
    at += size
  }
  return found
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([words(size), Buffer.from(type, 'latin1'), ...parts])
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  numbers.forEach((number, index) => {
    bytes.writeUInt32BE(number, index * 4)
  })
  return bytes
}
