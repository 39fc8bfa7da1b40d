import { ToolFailed } from '../failure.ts'
import { iptcName, textsBeyondUtf8, undeclaredIsUtf8 } from './character-sets.ts'
import { isCredentialsLabel } from './content-credentials.ts'
import type { RunExifTool } from './exiftool-process.ts'
import { siblingTags } from './sibling-tags.ts'
import { parseAnswer } from './tags.ts'

/**
 * A file's current values in the groups that are written: texts by ExifTool's group and name, such as `XMP-dc:Title-da` or `IPTC:Keywords`.
 */
export type PresentTags = ReadonlyMap<string, readonly string[]>

/** Whether a printed name belongs to a tag, in any language and any IPTC record. */
export const isTextOf = (tag: string, name: string): boolean => iptcName(name) === tag || name.startsWith(`${tag}-`)

/** Whether the file has a tag, in any IPTC record. */
export const isPresent = (tag: string, present: PresentTags): boolean => [...present.keys()].some((name) => iptcName(name) === tag)

const CREDENTIALS = 'JUMBF:JUMDLabel'

/** Google's tags for films and gain maps after the image. */
const CONTAINERS = ['XMP-GContainer:all', 'XMP-GCamera:MotionPhoto', 'XMP-GCamera:MicroVideo']

/** ExifTool's options to print them. Without `-m` it prints at most 1,000 keywords; with `-fast` it doesn't search after the image. */
const OPTIONS: readonly string[] = [
  ...['-j', '-G1', '-n', '-m', '-fast', '-api', 'StructFormat=JSONQ', ...undeclaredIsUtf8],
  ...['-XMP-dc:all', '-IPTC:all', '-IFD0:Copyright', '-IFD0:ImageDescription', '-Photoshop:IPTCDigest', `-${CREDENTIALS}`],
  ...[...siblingTags, ...CONTAINERS].map((tags) => `-${tags}`),
]

/** Whether a picture is one of Google's containers: a motion photo, or one with a gain map (container.ts). */
export const isContainer = (present: PresentTags): boolean => [...present.keys()].some((name) => /^XMP-GC(ontainer|amera):/.test(name))

/** Whether a file has Content Credentials (C2PA). */
export const hasCredentials = (present: PresentTags): boolean => (present.get(CREDENTIALS) ?? []).some(isCredentialsLabel)

/** @throws ToolFailed, and what `run` throws */
export async function readPresentTags(run: RunExifTool, path: string): Promise<PresentTags> {
  const { printed, errors } = await run(OPTIONS, path)
  if (printed.length === 0) throw new ToolFailed(`ExifTool printed nothing: ${errors}`)
  const tags = parseAnswer<string | string[]>(printed.toString())
  const texts = { ...tags, ...(await textsBeyondUtf8(run, path, tags, ['-G1', '-fast'])) }
  return new Map(Object.entries(texts).map(([tag, value]) => [tag, [value].flat().map(String)]))
}
