import { blamingTheFile, ToolFailed } from '../../tools/failure.ts'
import type { Rendition as RenderedFile, Renderer } from '../../tools/imaging/render.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import type { Sniffed } from '../../tools/sniffing/sniffed.ts'
import { sniff } from '../../tools/sniffing.ts'
import { dimensionsFromTags } from '../media/dimensions.ts'

/** The tools that inspect files. */
export interface Inspecting {
  exiftool: ExifTool
  renderer: Renderer
}

/** What the tools found out about a file. */
export interface Inspection {
  sniffed: Sniffed
  /** Undefined when ExifTool couldn't read the file. */
  tags: FileTags | undefined
  width: number | null
  height: number | null
  /** Rendered sizes as files; none unless it is an image. */
  renditions: RenderedFile[]
}

/** A file of which no tool found anything. */
export const OPAQUE: Sniffed = { kind: 'generic', mime: 'application/octet-stream', extension: '' }

/**
 * Inspects a file with every tool for its type. The results of a tool that fails are missing; an image that can't be decoded is generic.
 * @param file.into folder for rendered files
 * @throws ToolUnavailable and other faults of the system, which say nothing of the file
 */
export async function inspect(
  { exiftool, renderer }: Inspecting,
  { path, filename, into }: { path: string; filename: string; into: string },
): Promise<Inspection> {
  const type = (await unlessToolFails(() => sniff(path))) ?? OPAQUE
  const limit = type.kind === 'generic' ? { milliseconds: GENERIC_TIMEOUT } : {}
  const tags = await unlessToolFails(() => exiftool.readTags(path, filename, limit))
  const fromTags = (tags && dimensionsFromTags(tags)) ?? NO_SIZE
  const sniffed: Sniffed = type.kind === 'video' && tags && holdsOnlySound(tags) ? { ...type, kind: 'generic' } : type
  if (sniffed.kind !== 'image') return { sniffed, tags, renditions: [], ...(sniffed.kind === 'generic' ? NO_SIZE : fromTags) }
  const rendered = await unlessToolFails(() => renderer(path, sniffed.mime, into))
  if (!rendered) return { sniffed: { ...sniffed, kind: 'generic' }, tags, renditions: [], ...fromTags }
  return { sniffed, tags, ...rendered }
}

/** Milliseconds for reading the tags of other files than pictures and films. Past that they are imported without tags. */
const GENERIC_TIMEOUT = 5_000

const NO_SIZE = { width: null, height: null }

/** What ExifTool calls MP4 and Matroska files without a video track. */
const SOUND_CONTAINERS = new Set<unknown>(['audio/mp4', 'audio/x-matroska'])

/** Whether a film's container has sound and no video track. A file whose tags don't say is taken for a film. */
function holdsOnlySound({ printed }: FileTags): boolean {
  if (SOUND_CONTAINERS.has(printed.File?.MIMEType)) return true
  // QuickTime and 3GP files keep their type. Those with pictures have dimensions.
  const hasSound = printed.QuickTime?.AudioFormat !== undefined || printed.QuickTime?.HandlerType === 'soun'
  return hasSound && dimensionsFromTags({ printed }) === undefined
}

async function unlessToolFails<T>(tool: () => Promise<T>): Promise<T | undefined> {
  try {
    return await blamingTheFile(tool)
  } catch (error) {
    if (error instanceof ToolFailed) return undefined
    throw error
  }
}
