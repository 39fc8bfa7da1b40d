import type { Metadata, Sharp } from 'sharp'
import { blamingTheFile } from '../failure.ts'
import type { TimeLimit } from '../processes/time-limit.ts'
import { BT709, type Colours, LINEAR } from './colours/colours.ts'
import { type Samples, toSrgb } from './colours/to-srgb.ts'
import { toldColours } from './colours/told-colours.ts'
import { checkDecodedBytes, sampleBytes } from './limits.ts'
import { openSized, type WantedPart } from './sized-image.ts'
import { decoding, type Header, rawImage } from './vips.ts'

export interface Wanted extends WantedPart {
  /** The original file, if the picture was converted from it: its header may define colours. */
  original?: string
  animated?: boolean
  time?: TimeLimit
}

/**
 * Opens a picture at the wanted size, in sRGB: by its profile, else by the colours that its header defines.
 * @param header of the file at `path`
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
export async function openInSrgb(path: string, header: Header, wanted: Wanted): Promise<Sharp> {
  const { target, original = path, animated, time } = wanted
  const { space, page } = header
  const colours = isFloatGrey(header) ? lightItself : await blamingTheFile(() => toldColours(original))
  const opening = { page, ...(animated !== undefined && { animated }), ...(time && { time }) }
  if (!colours) return openSized(path, header, wanted, { ...opening, space }).toColourspace('srgb')
  checkDecodedBytes(sampleBytes({ ...target, channels: header.channels, bits: bitsOf(header.depth) }))
  return convertToSrgb(openSized(path, header, wanted, { ...opening, ignoresProfile: true }), header, colours, time)
}

/**
 * Converts a picture whose header defines its colours.
 * @param image opened without its profile, and resized
 * @throws ToolFailed, ToolTimedOut, ToolBusy
 */
export async function convertToSrgb(image: Sharp, header: Pick<Metadata, 'depth'>, colours: Colours, time?: TimeLimit): Promise<Sharp> {
  const { data, info } = await decoding(asStored(image, header).toBuffer({ resolveWithObject: true }), time)
  const { width, height, channels } = info
  return rawImage(toSrgb({ data: samplesOf(data, header.depth), width, height, channels: channels as Samples['channels'] }, colours))
}

/** Floating-point samples are linear light. libvips only knows that for coloured pictures. */
const lightItself: Colours = { primaries: BT709, transfer: LINEAR }

const isFloatGrey = ({ space, depth }: Header): boolean => depth === 'float' && space === 'b-w'

type Depth = Metadata['depth']

const bitsOf = (depth: Depth): number => (depth === 'float' ? 32 : depth === 'ushort' ? 16 : 8)

/** The unconverted samples: sharp would reduce 16 bits to 8. */
function asStored(image: Sharp, { depth }: Pick<Metadata, 'depth'>): Sharp {
  if (depth === 'float') return image.toColourspace('b-w').raw({ depth: 'float' })
  if (depth === 'ushort') return image.pipelineColourspace('rgb16').toColourspace('rgb16').raw({ depth: 'ushort' })
  return image.raw({ depth: 'uchar' })
}

function samplesOf({ buffer, byteOffset, length }: Buffer, depth: Depth): Samples['data'] {
  if (depth === 'float') return new Float32Array(buffer, byteOffset, length / 4)
  if (depth === 'ushort') return new Uint16Array(buffer, byteOffset, length / 2)
  return new Uint8Array(buffer, byteOffset, length)
}
