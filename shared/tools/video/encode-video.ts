import { readdir } from 'node:fs/promises'
import { extname } from 'node:path'
import { mediaPlaylist, outputArguments, PREVIEW } from './arguments.ts'
import { inputArguments } from './demuxers.ts'
import type { EncodeVideo } from './encoding.ts'
import { inspect } from './inspect.ts'
import { known, limitsOf } from './limits.ts'
import { writePlaylists } from './playlists.ts'
import { writePoster } from './poster.ts'
import { framesIn, runFfmpeg } from './run-ffmpeg.ts'

/** MIME types of outputs by extension. */
const mimes: { [extension: string]: string } = {
  '.mp4': 'video/mp4',
  '.m4s': 'video/iso.segment',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.jpg': 'image/jpeg',
}

export const encodeVideo: EncodeVideo = async (encoding) => {
  const { ffmpeg, path, source, output, into, signal } = encoding
  const input = inputArguments(path, source.mime)
  const inspected = await inspect(encoding)
  const run = { ffmpeg, folder: into, limits: limitsOf(source, output), signal }
  const { printed } = await runFfmpeg({
    ...run,
    path,
    args: [
      ...['-v', 'error', '-y', '-nostats', '-progress', 'pipe:1', '-stats_period', '2', '-abort_on', 'empty_output_stream'],
      ...input,
      ...outputArguments(output, inspected, source.facts),
    ],
  })
  if (output.kind === 'stream') {
    const { rungs } = output
    const seconds = await writePlaylists(into, { rungs, sounds: inspected.sounds, frames: framesIn(printed) })
    await writePoster(run, { name: mediaPlaylist(rungs[0]!.name), demuxer: 'hls', seconds })
  } else await writePoster(run, { name: PREVIEW, demuxer: 'mov', seconds: known(source.facts.seconds) })
  return (await readdir(into)).map((name) => ({ name, mime: mimes[extname(name)] ?? 'application/octet-stream' }))
}
