import type { Clock } from '../../backends/clock/port.ts'
import { type KnownObjects, ObjectMissing } from '../../backends/objects/port.ts'
import { ToolBusy, ToolFailed } from '../../tools/failure.ts'
import { geometryOf } from '../../tools/imaging/geometry.ts'
import type { LinkPicture, LinkRenderer, PicturePlan } from '../../tools/imaging/link-picture.ts'
import { isServedByPyramid } from '../../tools/imaging/pyramid.ts'
import { type Dimensions, fitInside, MASTER_SIDE, SMALL_MASTER_SIDE, scaledBy } from '../../tools/imaging/sizes.ts'
import { parseTransformation, type Transformation } from '../../tools/imaging/transformation.ts'
import type { KeptFiles, UsedFile } from '../../tools/kept-files.ts'
import type { LinkId } from '../../vocabulary/ids.ts'
import { Busy, Invalid, NotFound, NotReady, Undecodable } from '../errors.ts'
import { digestOf } from './labels.ts'
import { type LinkManifest, readManifest, type StoredManifest } from './manifest.ts'
import { publicKeys, sourceName } from './public-keys.ts'

/** Resources of rendering. */
export interface LinkRendering {
  publicFiles: KnownObjects
  linkRenderer: LinkRenderer
  /** Sources that were fetched. */
  sources: Pick<KeptFiles, 'use'>
}

/** A picture of a link. */
export interface WantedRendering {
  alias: string
  linkId: LinkId
  /** Tells it from other pictures of the link, in its ETag: visible ASCII without `"`. */
  key: string
  /** How to render it, by what the link shows. Called again where that was replaced meanwhile. */
  planOf(shown: ShownPicture): PicturePlan
  /** A manifest that was just read. Read from the bucket where none is given. */
  manifest?: StoredManifest
  /** Whether the client has this version. */
  isKnown(version: LinkVersion): boolean
}

/** What a plan depends on. */
export interface ShownPicture extends Pick<LinkManifest, 'focalPoint' | 'digitalSourceType'> {
  /** Of the file, upright, in pixels. */
  original: Dimensions
}

/** A link with a transformation, as the edge function hands it on. */
export interface WantedLink extends Omit<WantedRendering, 'key' | 'planOf'> {
  /** Canonical, and not empty. */
  query: string
}

/** The validators of a picture. */
export interface LinkVersion {
  /** In quotes. */
  etag: string
  /** Since when the link shows it, in UNIX milliseconds. */
  modified: number
}

/** What answers say of a picture besides showing it. */
type AnsweredLabels = Pick<LinkManifest, 'digitalSourceType'>

/** `unchanged`: the client has the picture. `copy`: the file is no picture, so that it is shown as it is. */
export type LinkAnswer =
  | ({ status: 'picture'; picture: LinkPicture } & LinkVersion & AnsweredLabels)
  | ({ status: 'unchanged' } & LinkVersion & AnsweredLabels)
  | { status: 'copy'; manifest: LinkManifest }

/** Largest original that a picture is rendered from, in bytes: it has to fit into the temporary space of a function. */
const MAX_ORIGINAL_BYTES = 1024 ** 3

/** `Retry-After` in seconds. */
const RETRY_SECONDS = 2

/**
 * Answers a link with a transformation.
 * @throws as renderPlan; Invalid
 */
export async function renderLink(library: LinkRendering, { query, ...wanted }: WantedLink): Promise<LinkAnswer> {
  const transformation = parseTransformation(query)
  if (!transformation) throw new Invalid({ path: '', message: 'The query is no transformation in its one form.' })
  const planOf = (shown: ShownPicture) => planFor(transformation, shown)
  return await renderPlan(library, { ...wanted, key: query, planOf })
}

function planFor(asked: Transformation, { original, focalPoint }: ShownPicture): PicturePlan {
  const { background, grayscale, hdr, format } = asked
  return {
    ...geometryOf(original, asked, focalPoint),
    ...(background && { background }),
    ...(grayscale && { tone: 'gray' as const }),
    ...(hdr && { hdr }),
    ...(format && { format }),
  }
}

/**
 * Renders a picture of a link. A client that has it gets no rendering.
 * @throws what `planOf` throws; NotFound when there is no such link; Undecodable; NotReady while its source is being made; Busy when too many wait to be rendered
 */
export async function renderPlan(library: LinkRendering, wanted: WantedRendering): Promise<LinkAnswer> {
  const manifest = wanted.manifest ?? (await manifestOf(library, wanted))
  try {
    return await answerFrom(library, wanted, manifest)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
  // The link was replaced since its manifest was read, or its source isn't made yet.
  const current = await manifestOf(library, wanted)
  if (sourceName(current) === sourceName(manifest)) throw await whyMissing(library, wanted, manifest)
  return await answerFrom(library, wanted, current).catch((error: unknown) => {
    throw error instanceof ObjectMissing ? notReady() : error
  })
}

/** The error for a missing source: it is being made, or can't be made. */
async function whyMissing({ publicFiles }: LinkRendering, { linkId }: WantedRendering, manifest: LinkManifest): Promise<Error> {
  return (await publicFiles.head(publicKeys.undecodable(linkId, manifest))) ? new Undecodable() : notReady()
}

type Labelled = Pick<LinkManifest, 'revision' | 'file' | 'copyright' | 'digitalSourceType' | 'focalPoint'>

/** ETag of a rendering, in quotes. The link's revision with the number stands for its file, and a digest for what the picture says and keeps. @param key the query, or what else tells it from others */
export function linkTag(linkId: LinkId, { copyright, digitalSourceType, focalPoint, ...shown }: Labelled, key: string): string {
  const isPlain = copyright === null && digitalSourceType === null && focalPoint === null
  const label = isPlain ? '' : `.${digestOf([copyright, digitalSourceType, focalPoint])}`
  return `"${linkId}-${sourceName(shown)}${label}-${key}"`
}

/** The manifest of a link as it is now. @throws NotFound */
export async function manifestOf(
  { publicFiles }: Pick<LinkRendering, 'publicFiles'>,
  { alias, linkId }: Pick<WantedRendering, 'alias' | 'linkId'>,
): Promise<StoredManifest> {
  try {
    const { stream, modified } = await publicFiles.get(publicKeys.manifest({ alias, linkId }))
    return { ...readManifest(Buffer.concat(await stream.toArray())), modified }
  } catch (error) {
    throw error instanceof ObjectMissing ? new NotFound('link') : error
  }
}

/** @throws ObjectMissing when a source is gone, or not there yet */
async function answerFrom(
  library: LinkRendering,
  { linkId, key, planOf, isKnown }: WantedRendering,
  manifest: StoredManifest,
): Promise<LinkAnswer> {
  const { kind, width, height } = manifest
  if (kind === 'other') return { status: 'copy', manifest }
  if (kind === 'undecodable' || width === null || height === null) throw new Undecodable()
  const original = { width, height }
  const { mime, copyright, digitalSourceType, transparent, focalPoint } = manifest
  const plan = planOf({ original, focalPoint, digitalSourceType })
  const version = { etag: linkTag(linkId, manifest, key), modified: manifest.modified }
  if (isKnown(version)) return { status: 'unchanged', ...version, digitalSourceType }
  const picture = { ...plan, mime, transparent, labels: { copyright, digitalSourceType } }
  const { file, isPyramid } = await useSource(library, { linkId, manifest, original, plan })
  await using source = file
  try {
    const rendered = await library.linkRenderer(source.path, { ...picture, isPyramid })
    return { status: 'picture', ...version, digitalSourceType, picture: rendered }
  } catch (error) {
    if (error instanceof ToolFailed) throw new Undecodable(error)
    throw error instanceof ToolBusy ? new Busy(RETRY_SECONDS) : error
  }
}

interface Source {
  linkId: LinkId
  manifest: LinkManifest
  original: Dimensions
  plan: PicturePlan
}

/** Fetches the smallest master of at least twice the size, the pyramid where it serves, or the original. */
async function useSource({ publicFiles, sources }: LinkRendering, source: Source): Promise<{ file: UsedFile; isPyramid: boolean }> {
  const { linkId, manifest, original, plan } = source
  const { bytes } = manifest
  const use = (key: string, bytes = 0) => sources.use(key, bytes, (path) => publicFiles.fetch(key, path))
  // Gain maps are in originals alone.
  for (const keyOf of manifest.master && !plan.hdr ? preparedFor(original, plan) : []) {
    try {
      return { file: await use(keyOf(linkId, manifest)), isPyramid: keyOf === publicKeys.pyramid }
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
    }
  }
  if (bytes > MAX_ORIGINAL_BYTES) throw new Undecodable()
  return { file: await use(publicKeys.original(linkId, manifest), bytes), isPyramid: false }
}

/** The prepared sources that serve a plan, the best first. */
function preparedFor(original: Dimensions, plan: PicturePlan) {
  const shown = wholeSizeOf(plan, original)
  const isServedBy = ({ width, height }: Dimensions) => shown.width * 2 <= width && shown.height * 2 <= height
  return [
    ...(isServedBy(fitInside(original, SMALL_MASTER_SIDE)) ? [publicKeys.smallMaster] : []),
    ...(isServedBy(fitInside(original, MASTER_SIDE)) ? [publicKeys.master] : []),
    ...(isServedByPyramid(original, plan) ? [publicKeys.pyramid] : []),
  ]
}

/** Pixels that the whole picture would have at the scale of a plan. */
function wholeSizeOf({ region, target }: PicturePlan, original: Dimensions): Dimensions {
  const { width, height } = { width: original.width * (region?.width ?? 1), height: original.height * (region?.height ?? 1) }
  // A part that stands out is cut out of the region, which is longer in one direction then.
  return scaledBy(Math.max(target.width / width, target.height / height), original)
}

function notReady(): NotReady {
  return new NotReady('picture_not_ready', 'The picture is being prepared. Try again in a few seconds.', RETRY_SECONDS)
}

/** Attempts, and the pause between them in ms: eight seconds in all. */
const [MAX_ATTEMPTS, POLL_MS] = [32, 250]

/**
 * Retries a rendering until its source is stored. A job converts formats that libvips doesn't decode, from the moment their link appears. Browsers
 * don't retry failed pictures, so the request waits.
 * @param render repeated while it throws NotReady; holds no resources in between
 * @param left aborted once no client waits
 * @throws NotReady after eight seconds, the reason of `left` once no client waits, and all other errors of `render`
 */
export async function untilPrepared<Answer>(clock: Clock, render: () => Promise<Answer>, left?: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await render()
    } catch (error) {
      if (!(error instanceof NotReady) || attempt === MAX_ATTEMPTS) throw error
    }
    await clock.sleep(POLL_MS, left && { signal: left })
  }
}
