import { availableParallelism } from 'node:os'
import { ToolFailed } from '../failure.ts'
import { DECODERS } from './decoders.ts'

/** Readers of ffmpeg for the types of videos, as their bytes tell. The first one reads the file; where there are more, its bytes choose. */
const demuxers: { [mime: string]: readonly string[] } = {
  'video/mp4': ['mov'],
  'video/quicktime': ['mov'],
  'video/x-m4v': ['mov'],
  'video/3gpp': ['mov'],
  'video/3gpp2': ['mov'],
  'video/x-matroska': ['matroska'],
  'video/webm': ['matroska'],
  'video/mp2t': ['mpegts'],
  'video/mp1s': ['mpeg'],
  'video/mp2p': ['mpeg'],
  'video/mpeg': ['mpeg', 'mpegvideo'],
  'video/x-msvideo': ['avi'],
  'video/x-flv': ['flv'],
  'video/x-ms-asf': ['asf'],
  'video/ogg': ['ogg'],
  'video/x-dv': ['dv'],
  'application/mxf': ['mxf'],
}

/** Pixels of the largest frames that are decoded: 8K, in any shape. */
const MAX_PIXELS = 8_192 * 4_608

/** Threads of the decoder: each keeps frames in memory, of 8K 100 MB. */
const MAX_THREADS = 4

/**
 * Arguments of ffmpeg to read a file and nothing else: as what it is by its bytes, so that nothing in it is taken for a script or a playlist
 * that names other files or hosts.
 * @throws ToolFailed for other types
 */
export function inputArguments(path: string, mime: string): string[] {
  const readers = demuxers[mime]
  if (!readers) throw new ToolFailed(`videos of the type ${mime} are not encoded`)
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', readers.join(','), '-codec_whitelist', DECODERS.join(',')],
    ...(readers.length === 1 ? ['-f', ...readers] : []),
    ...['-max_pixels', String(MAX_PIXELS), '-threads', String(Math.min(availableParallelism() + 1, MAX_THREADS)), '-i', `file:${path}`],
  ]
}
