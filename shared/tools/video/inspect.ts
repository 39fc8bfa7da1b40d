import type { Sound } from '../../vocabulary/video.ts'
import { ToolFailed } from '../failure.ts'
import { timeLimit } from '../processes/time-limit.ts'
import type { FrameColours } from './colours.ts'
import { inputArguments } from './demuxers.ts'
import type { VideoEncoding } from './encoding.ts'
import { limitsOf, soundsOf } from './limits.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

/** A video's first frame and sound as ffmpeg reads them. Other parsers may see more or less, but ffmpeg does the encoding. */
export interface Inspected {
  /** The output's sounds whose tracks exist and can be decoded. */
  sounds: readonly Sound[]
  isInterlaced: boolean
  colours: FrameColours
}

/** Time for the first frame, and the first sound, which may be late in the file. */
const TIME = timeLimit(300_000)

/** Decodes the first frame and the first sound. @throws what `runFfmpeg` throws */
export async function inspect(encoding: VideoEncoding): Promise<Inspected> {
  const sounds = soundsOf(encoding.output)
  const tracks = [...new Set(sounds.map(({ track }) => track))].sort((a, b) => a - b)
  const { found, ...picture } = await decodable(encoding, tracks)
  return { ...picture, sounds: sounds.filter(({ track }) => found.includes(track)) }
}

interface First extends Omit<Inspected, 'sounds'> {
  /** Decodable tracks of sound. */
  found: readonly number[]
}

async function decodable(encoding: VideoEncoding, tracks: readonly number[]): Promise<First> {
  try {
    return await firstOf(encoding, tracks)
  } catch (error) {
    if (!(error instanceof ToolFailed) || tracks.length === 0) throw error
  }
  // One of the tracks may be undecodable: then encode without it.
  const found: number[] = []
  for (const track of tracks.length > 1 ? tracks : []) found.push(...(await decodable(encoding, [track])).found)
  return { ...(await firstOf(encoding, [])), found }
}

async function firstOf({ ffmpeg, path, source, output, into, signal }: VideoEncoding, tracks: readonly number[]): Promise<First> {
  const sound = tracks.flatMap((track) => ['-map', `0:a:${track}?`])
  const { printed, said } = await runFfmpeg({
    ffmpeg,
    path,
    args: [
      ...['-v', 'info', '-nostats', ...inputArguments(path, source.mime), '-map_metadata', '-1'],
      ...['-map', '0:V:0', '-vf', 'trim=end_frame=1,showinfo=checksum=0', ...sound, '-af', 'atrim=end_sample=1', '-f', 'framecrc', '-'],
    ],
    folder: into,
    limits: { ...limitsOf(source, output), time: TIME },
    signal,
  })
  // `framecrc` prints a line for each frame, beginning with the number of its track.
  if (!/^0,/m.test(printed)) throw new ToolFailed('the video has no frame that can be decoded')
  const [, width, height] = /^\[Parsed_showinfo.* s:(\d+)x(\d+) /m.exec(said) ?? []
  const [, matrix = '', primaries = '', transfer = ''] =
    /^\[Parsed_showinfo.* color_space:(\S+) color_primaries:(\S+) color_trc:(\S+)/m.exec(said) ?? []
  return {
    // Missing tracks are the last ones.
    found: tracks.filter((_, index) => new RegExp(`^${index + 1},`, 'm').test(printed)),
    isInterlaced: /^\[Parsed_showinfo.* i:[TB] /m.test(said),
    colours: { matrix, primaries, transfer, width: Number(width), height: Number(height) },
  }
}
