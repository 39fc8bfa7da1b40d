import { blamingTheFile, ToolFailed } from '../../tools/failure.ts'
import type { Rendition as RenderedFile, Renderer } from '../../tools/imaging/render.ts'
import { dimensionsFromTags } from '../../tools/metadata/dimensions.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import { focusIn } from '../../tools/metadata/focus-region.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import { timeLimit } from '../../tools/processes/time-limit.ts'
import type { Sniffed } from '../../tools/sniffing/sniffed.ts'
import { sniff } from '../../tools/sniffing.ts'
import { svgSize } from '../../tools/svg/svg-size.ts'
import { unzipSvg } from '../../tools/svg/unzip-svg.ts'
import type { Probed, VideoProbe } from '../../tools/video/probe.ts'
import type { Point } from '../../vocabulary/point.ts'
import type { VideoFacts } from '../../vocabulary/video.ts'
import { saysSound, videoFacts } from './video-facts.ts'

/** The tools that inspect files. */
export interface Inspecting {
  exiftool: ExifTool
  renderer: Renderer
  videoProbe: VideoProbe
}

/** Results of inspecting a file. */
export interface Inspection {
  sniffed: Sniffed
  /** Undefined when ExifTool couldn't read the file. */
  tags: FileTags | undefined
  width: number | null
  height: number | null
  /** Videos only. */
  video?: VideoFacts
  /** Rendered sizes as files; images only. */
  renditions: RenderedFile[]
  /** Images only; base64. */
  thumbhash?: string
  /** Images only; absent where the file names none. */
  focalPoint?: Point
}

/** The type of files that no tool recognises. */
export const OPAQUE: Sniffed = { kind: 'generic', mime: 'application/octet-stream', extension: '' }

/**
 * Inspects a file with every tool for its type. The results of a tool that fails are missing; an image that can't be decoded is generic.
 * @param file.isOutline whether it is an outline (tools/outline.ts); outlines can't be rendered
 * @param file.into folder for rendered files
 * @throws ToolUnavailable and other faults of the system
 */
export async function inspect(
  { exiftool, renderer, videoProbe }: Inspecting,
  { path, isOutline = false, filename, into }: { path: string; isOutline?: boolean; filename: string; into: string },
): Promise<Inspection> {
  const type = (await unlessToolFails(() => sniff(path))) ?? OPAQUE
  const time = type.kind === 'generic' ? GENERIC_TIME : undefined
  const readable = (type.extension === 'svgz' && (await unlessToolFails(() => unzipSvg(path, into)))) || path
  const tags = await unlessToolFails(() => exiftool.readTags(readable, filename, time))
  if (type.kind === 'generic') return { sniffed: type, tags, renditions: [], ...NO_SIZE }
  if (type.kind === 'video') return inspectFilm(type, tags, await unlessToolFails(() => videoProbe(path)))
  if (type.mime === 'image/svg+xml') {
    const size = await unlessToolFails(() => svgSize(readable))
    return { sniffed: type, tags, renditions: [], ...(size ?? NO_SIZE) }
  }
  const fromTags = (tags && dimensionsFromTags(tags)) ?? NO_SIZE
  if (type.kind !== 'image') return { sniffed: type, tags, renditions: [], ...fromTags }
  const rendered = isOutline ? undefined : await unlessToolFails(() => renderer(path, type.mime, into))
  if (!rendered) return { sniffed: { ...type, kind: 'generic' }, tags, renditions: [], ...fromTags }
  const focalPoint = tags && (await unlessToolFails(() => focusIn(exiftool, path, tags)))
  return { sniffed: type, tags, ...rendered, ...(focalPoint && { focalPoint }) }
}

/** Inspects a film's container, which may hold only sound. */
function inspectFilm(type: Sniffed, tags: FileTags | undefined, probed: Probed | undefined): Inspection {
  if (holdsOnlySound(tags, probed)) return { sniffed: { ...type, kind: 'generic' }, tags, renditions: [], ...NO_SIZE }
  const size = probed?.width && probed.height ? { width: probed.width, height: probed.height } : tags && dimensionsFromTags(tags)
  return { sniffed: type, tags, renditions: [], ...(size ?? NO_SIZE), video: videoFacts(probed, tags) }
}

/** Processor time for the tags of files other than pictures and films. A file that takes longer is imported without tags. */
const GENERIC_TIME = timeLimit(5_000)

const NO_SIZE = { width: null, height: null }

/** ExifTool's types of MP4 and Matroska files without a video track. */
const SOUND_CONTAINERS = new Set<unknown>(['audio/mp4', 'audio/x-matroska'])

/**
 * Whether a film's container has sound and no video track. Unknown containers count as films. The probe omits tracks with very old codecs,
 * but then the tags have a picture size.
 */
function holdsOnlySound(tags: FileTags | undefined, probed: Probed | undefined): boolean {
  const printed = tags?.printed ?? {}
  if (probed?.hasVideo) return false
  if (SOUND_CONTAINERS.has(printed.File?.MIMEType)) return true
  return (probed?.hasAudio || saysSound(printed)) && dimensionsFromTags({ printed }) === undefined
}

async function unlessToolFails<T>(tool: () => Promise<T>): Promise<T | undefined> {
  try {
    return await blamingTheFile(tool)
  } catch (error) {
    if (error instanceof ToolFailed) return undefined
    throw error
  }
}
