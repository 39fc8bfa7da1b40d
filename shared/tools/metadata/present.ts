import { isCredentialsLabel } from './content-credentials.ts'
import { parseAnswer } from './tags.ts'

/** The values of a file in the groups that are written: texts by ExifTool's group and name, such as `XMP-dc:Title-da` or `IPTC:Keywords`. */
export type PresentTags = ReadonlyMap<string, readonly string[]>

const CREDENTIALS = 'JUMBF:JUMDLabel'

/** Google's tags for films and gain maps that lie behind the image. */
const CONTAINERS = ['XMP-GContainer:all', 'XMP-GCamera:MotionPhoto', 'XMP-GCamera:MicroVideo']

/**
 * The options by which ExifTool prints the tags that `parsePresentTags` reads. Without `-m` it prints no more than 1,000 keywords; with
 * `-fast` it doesn't look for what lies behind the image.
 */
export const presentTagsOptions: readonly string[] = [
  ...['-j', '-G1', '-n', '-m', '-fast', '-api', 'StructFormat=JSONQ'],
  ...['-XMP-dc:all', '-IPTC:all', '-IFD0:Copyright', '-IFD0:ImageDescription', '-Photoshop:IPTCDigest', `-${CREDENTIALS}`],
  ...CONTAINERS.map((tags) => `-${tags}`),
]

/**
 * Whether a picture is one of Google's containers: a motion photo, or one with a gain map. ExifTool writes all of the XMP anew, under other prefixes,
 * and phones read this part as text: they would no longer find the film.
 */
export const isContainer = (present: PresentTags): boolean => [...present.keys()].some((name) => /^XMP-GC(ontainer|amera):/.test(name))

/** Whether a file carries Content Credentials (C2PA). */
export const hasCredentials = (present: PresentTags): boolean => (present.get(CREDENTIALS) ?? []).some(isCredentialsLabel)

/** @throws ToolFailed when it is not what ExifTool prints with these options */
export function parsePresentTags(json: string): PresentTags {
  const tags = parseAnswer<string | string[]>(json)
  return new Map(Object.entries(tags).map(([tag, value]) => [tag, [value].flat().map(String)]))
}
