import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { findFfmpeg } from '../../shared/tools/video/find-ffmpeg.ts'
import { madeOnce } from './kept-files.ts'
import { skippedFor } from './skipping.ts'

const execute = promisify(execFile)

/** What a test video is like. All may be left out: then it is a second of 320 x 180 H.264 with stereo sound, in an mp4. */
export interface TestVideo {
  /** Pixels as they are stored: before a rotation, with the shape that `pixelShape` gives them. */
  width?: number
  height?: number
  seconds?: number
  /** Frames a second. */
  fps?: number
  codec?:
    | 'h264'
    | 'hevc'
    | 'vp9'
    | 'av1'
    | 'mpeg4'
    | 'mpeg1video'
    | 'mpeg2video'
    | 'dvvideo'
    | 'mjpeg'
    | 'prores'
    | 'flv'
    | 'wmv2'
    | 'theora'
  container?: 'mp4' | 'mov' | 'mkv' | 'webm' | 'ts' | 'avi' | 'mpg' | 'flv' | 'wmv' | 'ogv' | 'mxf' | 'dv'
  sound?: 'stereo' | 'mono' | '5.1' | 'none'
  /** Tracks of sound, each the same. */
  soundTracks?: number
  /** How a player turns it, clockwise, and whether it mirrors it (left to right) before. mp4 and mov only. */
  rotation?: 0 | 90 | 180 | 270
  mirrored?: boolean
  /** Width of a pixel by its height: `4/3`. */
  pixelShape?: string
  /** Four frames of ten are left out. */
  isVariable?: boolean
  isInterlaced?: boolean
  /** 10 bits and these colours, with hevc: labelled so, the picture is an ordinary one. */
  hdr?: 'hlg' | 'pq'
  bits?: 8 | 10
  /** The index of an mp4 comes first (as downloads have it). Cameras write it last. */
  isFaststart?: boolean
}

/** The ffmpeg of this machine, which makes test videos. Undefined where there is none: tests that need one are skipped by `withVideos`. */
export const ffmpeg = await findFfmpeg()

/** Options of tests and suites that make videos: `it('…', withVideos, …)`. */
export const withVideos = skippedFor(!ffmpeg && 'no ffmpeg here: install it by the package manager of the system')

/**
 * Makes a video, and returns its path: a moving test picture (`testsrc2`: coloured, with running numbers) and a tone. The same one is made
 * once and kept (`kept-files.ts`), so tests read it and never change it.
 * `await readFile(await testVideo({ width: 360, height: 640, sound: 'none' }))`
 */
export async function testVideo(wanted: TestVideo = {}): Promise<string> {
  const { rotation = 0, mirrored = false, ...upright } = wanted
  const suffix = `.${upright.container ?? 'mp4'}`
  if (!rotation && !mirrored) {
    const args = encodeArgs(upright)
    return await kept(suffix, args, async (path) => void (await runFfmpeg(['-v', 'error', ...args, path])))
  }
  const source = await testVideo(upright)
  return await kept(suffix, [source, `${rotation} ${mirrored}`], async (path) => {
    await writeFile(path, turned(await readFile(source), rotation, mirrored))
  })
}

/** A film whose pictures and sounds are of different lengths. */
interface TestFilm {
  pictures: { seconds: number; fps: number; from?: number }
  /** A track of sound each. Its time begins `from` seconds after the film's; within `gap` nothing is recorded. Seconds. */
  sounds: readonly { seconds: number; from?: number; channels?: 2 | 6; gap?: readonly [start: number, end: number] }[]
}

/** Makes a film, small and without much in it, and returns its path. It is kept as those of `testVideo` are. */
export async function testFilm({ pictures, sounds }: TestFilm): Promise<string> {
  const shifted = (from = 0) => ['-itsoffset', String(from), '-f', 'lavfi', '-i']
  const filters = sounds.map(
    ({ gap: [start, end] = [-1, -1] }, index) => `[${index + 1}:a]aselect=not(between(t\\,${start}\\,${end}))[a${index}]`,
  )
  const args = [
    ...[...shifted(pictures.from), `testsrc2=size=320x180:rate=${pictures.fps}:duration=${pictures.seconds}`],
    ...sounds.flatMap(({ seconds, from }) => [...shifted(from), `sine=frequency=440:sample_rate=48000:duration=${seconds}`]),
    ...(sounds.length > 0 ? ['-filter_complex', filters.join(';')] : []),
    ...['-map', '0:v', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
    ...sounds.flatMap(({ channels = 2 }, index) => ['-map', `[a${index}]`, `-ac:a:${index}`, String(channels)]),
  ]
  return await kept('.mkv', args, async (path) => void (await runFfmpeg(['-v', 'error', ...args, path])))
}

/** Upright stripes of one colour each, for a fifth of a second. */
export interface TestPatches {
  /** Red, green, blue from left to right, 0 to 1, as the samples of the video encode them. */
  patches: readonly (readonly [red: number, green: number, blue: number])[]
  /** Pixels; otherwise 320 x 180. */
  width?: number
  height?: number
  /** What makes luminance and colour differences of them; BT.2020's where the video is HDR. */
  matrix?: 'bt709' | 'smpte170m'
  isFullRange?: boolean
  /** What the file says of its colours, in ffmpeg's words. Otherwise it says nothing, where it isn't HDR. */
  labels?: { matrix?: string; primaries?: string; transfer?: string }
  hdr?: 'hlg' | 'pq'
}

/** Makes a video of patches, without loss, and returns its path. It is kept as those of `testVideo` are. */
export async function testPatches({ patches, width = 320, height = 180, hdr, labels = {}, ...rest }: TestPatches): Promise<string> {
  const matrix = hdr ? 'bt2020' : rest.matrix
  const stripe = (value: (patch: TestPatches['patches'][number]) => number) =>
    patches.reduceRight(
      (others, patch, index) => `if(lt(X,${((index + 1) * width) / patches.length}),${Math.round(value(patch) * 65_535)},${others})`,
      '0',
    )
  const label = hdr
    ? { matrix: 'bt2020nc', primaries: 'bt2020', transfer: transfers[hdr] }
    : { matrix: 'unknown', primaries: 'unknown', transfer: 'unknown', ...labels }
  const filters = [
    'format=gbrp16le',
    `geq=r='${stripe(([red]) => red)}':g='${stripe(([, green]) => green)}':b='${stripe(([, , blue]) => blue)}'`,
    `scale=out_color_matrix=${matrix}:out_range=${rest.isFullRange ? 'pc' : 'tv'}:flags=accurate_rnd+full_chroma_int`,
    `format=${hdr ? 'yuv420p10le' : rest.isFullRange ? 'yuvj420p' : 'yuv420p'}`,
    `setparams=color_primaries=${label.primaries}:color_trc=${label.transfer}:colorspace=${label.matrix}`,
  ]
  const encoder = hdr
    ? ['libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', 'log-level=error:lossless=1']
    : ['libx264', '-preset', 'ultrafast', '-qp', '0']
  const args = [
    ...['-f', 'lavfi', '-i', `color=black:size=${width}x${height}:rate=5:duration=0.2`, '-vf', filters.join(',')],
    ...['-c:v', ...encoder],
  ]
  return await kept('.mp4', args, async (path) => void (await runFfmpeg(['-v', 'error', ...args, path])))
}

/** Runs ffmpeg, for tests that need something else of it. @returns what it says, on standard output and standard error */
export async function runFfmpeg(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  if (!ffmpeg) throw new Error('there is no ffmpeg here')
  return await execute(ffmpeg.command, ['-nostdin', '-hide_banner', '-y', ...args], { maxBuffer: 64 * 1024 ** 2 })
}

/** The file that was made for the same arguments, or a new one. */
async function kept(suffix: string, args: readonly string[], make: (path: string) => Promise<void>): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([ffmpeg?.version, args]))
    .digest('hex')
    .slice(0, 32)
  return await madeOnce(`${name}${suffix}`, make)
}

const encoders = {
  h264: ['libx264', '-preset', 'ultrafast'],
  hevc: ['libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', 'log-level=error'],
  vp9: ['libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
  av1: ['libaom-av1', '-cpu-used', '8', '-usage', 'realtime'],
  mpeg4: ['mpeg4'],
  mpeg1video: ['mpeg1video'],
  mpeg2video: ['mpeg2video'],
  dvvideo: ['dvvideo'],
  mjpeg: ['mjpeg', '-color_range', 'pc'],
  prores: ['prores_ks'],
  flv: ['flv'],
  wmv2: ['wmv2'],
  theora: ['libtheora'],
}

/** Codecs of sound by container, where it isn't AAC. */
const soundCodecs: { [container: string]: string } = {
  webm: 'libopus',
  ogv: 'libvorbis',
  avi: 'mp3',
  mpg: 'mp2',
  dv: 'pcm_s16le',
  wmv: 'wmav2',
  mxf: 'pcm_s16le',
}

const channels = { mono: 1, stereo: 2, '5.1': 6, none: 0 }
const transfers = { hlg: 'arib-std-b67', pq: 'smpte2084' }

/** Arguments without the file to write. */
function encodeArgs(video: TestVideo): string[] {
  const { width = 320, height = 180, seconds = 1, fps = 25, codec = 'h264', sound = 'stereo', soundTracks = 1 } = video
  const { container = 'mp4', pixelShape, isVariable, isInterlaced, hdr, bits = hdr ? 10 : 8 } = video
  const filters = [
    ...(isVariable ? ["select='not(between(mod(n,10),3,6))'"] : []),
    ...(isInterlaced ? ['interlace'] : []),
    ...(pixelShape ? [`setsar=${pixelShape}`] : []),
    codec === 'prores' ? 'format=yuv422p10le' : codec === 'mjpeg' ? 'format=yuvj420p' : `format=${bits === 10 ? 'yuv420p10le' : 'yuv420p'}`,
    ...(hdr ? [`setparams=range=tv:color_primaries=bt2020:color_trc=${transfers[hdr]}:colorspace=bt2020nc`] : []),
  ]
  const tracks = sound === 'none' ? 0 : soundTracks
  return [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=${fps}:duration=${seconds}`],
    ...(tracks ? ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`] : []),
    ...['-map', '0:v', ...Array.from({ length: tracks }, () => ['-map', '1:a']).flat()],
    ...['-vf', filters.join(','), '-fps_mode', 'vfr', '-c:v', ...encoders[codec], ...(isInterlaced ? ['-flags', '+ildct+ilme'] : [])],
    ...(tracks ? ['-c:a', soundCodecs[container] ?? 'aac', '-ac', String(channels[sound])] : []),
    ...(video.isFaststart ? ['-movflags', '+faststart'] : []),
  ]
}

/** Writes the matrix of the first track (ISO/IEC 14496-12, `tkhd`), which players turn the picture by. */
function turned(mp4: Buffer, rotation: 0 | 90 | 180 | 270, mirrored: boolean): Buffer {
  const matrix = mp4.indexOf('tkhd') + 44
  const [a, b, c, d] = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] }[rotation] as [
    number,
    number,
    number,
    number,
  ]
  const mirror = mirrored ? -1 : 1
  const values = [a * mirror, b * mirror, 0, c, d, 0]
  const changed = Buffer.from(mp4)
  values.forEach((value, index) => {
    changed.writeInt32BE(value * 65_536, matrix + index * 4)
  })
  return changed
}
