import { appendFile, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SoundGroup, soundGroups } from '../../vocabulary/sound-groups.ts'
import { LADDER, type Rung, type Sound } from '../../vocabulary/video.ts'
import { ToolFailed } from '../failure.ts'
import { initSection, mediaPlaylist } from './arguments.ts'
import { segmentTime } from './segment.ts'

/** A written part of a stream: one size of the video, or one sound. */
interface Part {
  seconds: number
  /** Peak and average bits a second (RFC 8216, 4.1). */
  peak: number
  average: number
}

interface Segment {
  name: string
  seconds: number
  bits: number
}

/** A segment's index is in its first bytes. */
const INDEX_BYTES = 1_024

/**
 * Writes the playlists of a stream whose segments are in a folder (RFC 8216), with real bit rates and durations. ffmpeg's playlists contain
 * its bit rate limit, and wrong durations for irregular frames; players choose and seek by both.
 * @param stream.frames number of frames of the video
 * @returns the video's duration in seconds
 * @throws ToolFailed if all durations are zero
 */
export async function writePlaylists(folder: string, { rungs, sounds, frames }: Stream): Promise<number> {
  const groups = soundGroups(sounds)
  const audio = new Map<string, Part>()
  for (const { part } of sounds) audio.set(part, await writePart(folder, part))
  const parts: Part[] = []
  for (const { name } of rungs) parts.push(await writePart(folder, name))
  const variants: string[] = []
  // Players that can't choose use the first variants: those in stereo.
  for (const group of groups.length > 0 ? groups : [undefined]) {
    const loudest = group && largest(group.sounds.map(({ part }) => audio.get(part)!))
    for (const [index, rung] of rungs.entries())
      variants.push(await variant(folder, rung, { part: parts[index]!, audio: group && { group: group.id, ...loudest! }, frames }))
  }
  await writeLines(join(folder, LADDER), [...head, ...groups.flatMap(renditions), ...variants])
  return Math.max(...parts.map(({ seconds }) => seconds))
}

interface Stream {
  rungs: readonly Rung[]
  sounds: readonly Sound[]
  frames: number
}

function renditions({ id, sounds }: SoundGroup): string[] {
  return sounds.map(({ name, language, isDefault, isAutomatic, channels, part }) => {
    const attributes = [
      ...['TYPE=AUDIO', `GROUP-ID="${id}"`, `NAME="${name}"`, ...(language === null ? [] : [`LANGUAGE="${language}"`])],
      ...[`AUTOSELECT=${yes(isAutomatic)}`, `DEFAULT=${yes(isDefault)}`, `CHANNELS="${channels}"`, `URI="${mediaPlaylist(part)}"`],
    ]
    return `#EXT-X-MEDIA:${attributes.join(',')}`
  })
}

const yes = (is: boolean) => (is ? 'YES' : 'NO')

/** Rates that cover all parts. */
const largest = (parts: readonly Part[]) => ({
  peak: Math.max(...parts.map(({ peak }) => peak)),
  average: Math.max(...parts.map(({ average }) => average)),
})

const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']

const writeLines = (path: string, lines: readonly string[]) => writeFile(path, `${lines.join('\n')}\n`)

interface Variant {
  part: Part
  audio: (Omit<Part, 'seconds'> & { group: string }) | undefined
  frames: number
}

async function variant(folder: string, { name, width, height }: Rung, { part, audio, frames }: Variant): Promise<string> {
  const codecs = [await videoCodec(join(folder, initSection(name))), ...(audio ? ['mp4a.40.2'] : [])]
  const attributes = [
    `BANDWIDTH=${part.peak + (audio?.peak ?? 0)}`,
    `AVERAGE-BANDWIDTH=${part.average + (audio?.average ?? 0)}`,
    `CODECS="${codecs.join(',')}"`,
    `RESOLUTION=${width}x${height}`,
    `FRAME-RATE=${(frames / part.seconds).toFixed(3)}`,
    ...(audio ? [`AUDIO="${audio.group}"`] : []),
  ]
  return `#EXT-X-STREAM-INF:${attributes.join(',')}\n${mediaPlaylist(name)}`
}

/** Rewrites a part's media playlist from the segments in ffmpeg's playlist. */
async function writePart(folder: string, part: string): Promise<Part> {
  const path = join(folder, mediaPlaylist(part))
  const segments = await segmentsOf(
    folder,
    (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#')),
  )
  const whole = sum(segments)
  if (!(whole.seconds > 0)) throw new ToolFailed('the video lasts no time')
  const target = Math.max(1, ...segments.map(({ seconds }) => Math.round(seconds)))
  await writeLines(path, [
    ...head,
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-MAP:URI="${initSection(part)}"`,
    ...segments.map(({ seconds, name }) => `#EXTINF:${seconds.toFixed(6)},\n${name}`),
    '#EXT-X-ENDLIST',
  ])
  return { seconds: whole.seconds, average: rate(whole), peak: Math.max(...peaks(segments, target), rate(whole)) }
}

/** Shortest last segment, in seconds. Sound may end a frame after the film, and players would load a file for that. */
const SHORTEST = 0.5

/** A segment lasts until the next one begins. A last one below `SHORTEST` is appended to the one before. */
async function segmentsOf(folder: string, names: readonly string[]): Promise<Segment[]> {
  const segments: (Segment & { start: number })[] = []
  for (const name of names) {
    const segment = { name, ...(await measured(join(folder, name))) }
    const former = segments.at(-1)
    if (former) former.seconds = segment.start - former.start
    segments.push(segment)
  }
  const last = segments.at(-1)
  const former = segments.at(-2)
  if (!last || !former || last.seconds >= SHORTEST) return segments
  await appendFile(join(folder, former.name), await readFile(join(folder, last.name)))
  await rm(join(folder, last.name))
  former.seconds += last.seconds
  former.bits += last.bits
  return segments.slice(0, -1)
}

async function measured(path: string): Promise<{ start: number; seconds: number; bits: number }> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(INDEX_BYTES), 0, INDEX_BYTES, 0)
  return { ...segmentTime(buffer.subarray(0, bytesRead)), bits: (await file.stat()).size * 8 }
}

/** Rates of all runs of segments whose total duration is between 0.5 and 1.5 of the target duration. */
function* peaks(segments: readonly Segment[], target: number): Generator<number> {
  for (const first of segments.keys()) {
    const run = { seconds: 0, bits: 0 }
    for (let next = first; next < segments.length && run.seconds + segments[next]!.seconds <= target * 1.5; next++) {
      run.seconds += segments[next]!.seconds
      run.bits += segments[next]!.bits
      if (run.seconds >= target * 0.5) yield rate(run)
    }
  }
}

type Amount = Omit<Segment, 'name'>

const rate = ({ seconds, bits }: Amount): number => Math.ceil(bits / seconds)

const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((all, each) => ({ seconds: all.seconds + each.seconds, bits: all.bits + each.bits }), { seconds: 0, bits: 0 })

/** `avc1.64001f`: profile, constraints and level from the init section (ISO/IEC 14496-15). */
async function videoCodec(init: string): Promise<string> {
  const bytes = await readFile(init)
  const configuration = bytes.indexOf('avcC')
  if (configuration === -1) throw new Error('an init section names no codec')
  return `avc1.${bytes.subarray(configuration + 5, configuration + 8).toString('hex')}`
}
