import { availableParallelism } from 'node:os'
import { ToolFailed } from '../failure.ts'
import { DECODERS } from './decoders.ts'

/** ffmpeg's demuxers by sniffed MIME type. If there are several, ffmpeg chooses one by the file's bytes. */
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

/** Most pixels of decoded frames: 8K, in any shape. */
const MAX_PIXELS = 8_192 * 4_608

/** Most decoder threads. Each keeps frames in memory, 100 MB for 8K. */
const MAX_THREADS = 4

/**
 * ffmpeg's arguments to read a file as its sniffed type and nothing else. So it can't be interpreted as a script or playlist that refers to
 * other files or hosts.
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
