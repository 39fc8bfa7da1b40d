import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { previewOutput, streamOutput } from '../../shared/library/videos/outputs.ts'
import { encodeVideo } from '../../shared/tools/video/encode-video.ts'
import type { Ffmpeg } from '../../shared/tools/video/find-ffmpeg.ts'
import { Workspace } from '../../shared/tools/workspace.ts'
import type { PreviewOutput, StreamOutput, VideoSource } from '../../shared/vocabulary/video.ts'
import { unknownFacts } from '../support/encoded-video.ts'
import { ffmpeg, testVideo } from '../support/videos.ts'
import type { Row } from './report.ts'
import { median, timed } from './timing.ts'

/** Runs a command with as little precedence as encodes have, so that what else the machine does slows down both. */
const execute = (command: string, args: readonly string[], cwd: string) =>
  promisify(execFile)('nice', ['-n', '10', command, ...args], { cwd })

const size = { width: 1_920, height: 1_080 }
const stream = streamOutput(size, unknownFacts, 'streams/x/')
const preview = previewOutput(size, unknownFacts, 'x/preview.mp4')

/**
 * The stream and the preview of a 1080p video, against two commands that somebody would write for the same outputs: both in turns, because
 * nobody else may use the machine all the time.
 */
export async function run({ rounds = 3, seconds = 20 } = {}): Promise<Row[]> {
  if (!ffmpeg) throw new Error('there is no ffmpeg here')
  const path = await testVideo({ ...size, fps: 30, seconds })
  const facts = { seconds, frameRate: 30, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true, isHdr: false }
  const source: VideoSource = { key: 'original', mime: 'video/mp4', ...size, facts }
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await inFolder((into) => encoded(ffmpeg!, path, source, into)))
    plain.push(await inFolder((folder) => commands(ffmpeg!, path, folder)))
  }
  const ratios = ours.map((value, round) => value / plain[round]!)
  const rungs = stream.rungs.map(({ name }) => name).join(', ')
  return [
    { what: `${seconds} s of 1080p into ${rungs} and a preview, p50`, value: median(ours) / 1_000, unit: 's' },
    { what: 'the same by plain commands, p50', value: median(plain) / 1_000, unit: 's' },
    { what: 'ratio, p50', value: median(ratios), unit: '', atMost: 1.1 },
  ]
}

/** Milliseconds. */
async function inFolder(work: (folder: string) => Promise<unknown>): Promise<number> {
  await using workspace = await Workspace.open('video-encode')
  const [milliseconds] = await timed(1, () => work(workspace.directory))
  return milliseconds!
}

async function encoded(ffmpeg: Ffmpeg, path: string, source: VideoSource, folder: string): Promise<void> {
  for (const output of [stream, preview] satisfies (PreviewOutput | StreamOutput)[]) {
    const into = `${folder}/${output.kind}`
    await mkdir(into)
    await encodeVideo({ ffmpeg, path, source, output, into, signal: new AbortController().signal })
  }
}

const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '23']
const aac = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000']

async function commands(ffmpeg: Ffmpeg, path: string, folder: string): Promise<void> {
  const { rungs } = stream
  const labels = rungs.map((_, index) => `[s${index}]`).join('')
  const scales = rungs.map(({ width, height }, index) => `[s${index}]scale=${width}:${height}[v${index}]`)
  const rates = rungs.flatMap(({ maxBitsPerSecond: rate }, n) => [`-maxrate:v:${n}`, `${rate}`, `-bufsize:v:${n}`, `${2 * rate}`])
  const variants = [...rungs.map((_, index) => `v:${index},agroup:audio`), 'a:0,agroup:audio']
  await execute(
    ffmpeg.command,
    [
      ...['-v', 'error', '-i', path, '-filter_complex', [`[0:v]split=${rungs.length}${labels}`, ...scales].join(';')],
      ...rungs.flatMap((_, index) => ['-map', `[v${index}]`]),
      ...['-map', '0:a', ...x264, '-force_key_frames', 'expr:gte(t,n_forced*2)', '-sc_threshold', '0', ...rates, ...aac],
      ...['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4', '-var_stream_map', variants.join(' ')],
      ...['-master_pl_name', 'index.m3u8', '-hls_segment_filename', 'v%v_%05d.m4s', 'v%v.m3u8'],
    ],
    folder,
  )
  const { width, height, maxBitsPerSecond } = preview
  const limits = ['-maxrate', `${maxBitsPerSecond}`, '-bufsize', `${2 * maxBitsPerSecond}`]
  const input = ['-v', 'error', '-i', path, '-vf', `scale=${width}:${height}`]
  await execute(ffmpeg.command, [...input, ...x264, ...limits, ...aac, '-movflags', '+faststart', 'preview.mp4'], folder)
}
