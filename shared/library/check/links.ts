import { toLinkId } from '../../vocabulary/ids.ts'
import { invalidationKey } from '../links/invalidation.ts'
import { publicKeys, sourceKeys } from '../links/public-keys.ts'
import { isRenderedFromOriginal } from '../links/public-objects.ts'
import { getMedia } from '../media/find.ts'
import { getLink, getLinks, isPublished, type LinkRecord, linkKey, publication, stateChanged } from '../media/link.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from '../media/media.ts'
import { loadTree } from '../tree/tree-store.ts'
import { addressOf } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Links are published, replaced and ended within seconds, and edges know it within minutes: after a day something is stuck. */
const PUBLISHED_WITHIN_MS = 86_400_000
/** A job for several links asks for the job of each within minutes. */
const ASKED_WITHIN_MS = 3_600_000

type Shown = Pick<MediaRecord, 'mediaId' | 'companyId' | 'links'>

/** Yields the problems of the links that a file's record names. */
export async function* checkLinksOfFile({ table }: Library, { mediaId, companyId, links = [] }: Shown): AsyncGenerator<Problem> {
  if (links.length === 0) return
  const ids = links.map(({ id }) => id)
  const shown = new Set((await getLinks({ table }, ids)).filter((link) => link.mediaId === mediaId).map(({ linkId }) => linkId))
  for (const id of ids) {
    if (!shown.has(id)) yield problem('link_missing', { company_id: companyId, media_id: mediaId, object: addressOf(linkKey(id)) })
  }
}

/** Yields the problems of a link: its record, its file and folder, its objects. */
export async function* checkLink(library: Library, link: LinkRecord): AsyncGenerator<Problem> {
  const { table, clock, publicFiles } = library
  const ids = idsOf(link)
  if (link.stale !== undefined && !(await table.get(invalidationKey(link.linkId)))) yield problem('link_not_invalidated', ids)
  const { companyId, contents, alias, linkId, mediaId } = link
  const media = await shownMedia(library, link)
  yield* ownProblems(link, media, clock.now())
  // The end of an import asks for the job.
  const isToPublish = !isPublished(link, media) && (mediaId === null || (media !== undefined && isAvailable(media)))
  if (isToPublish && !(await hasJob(library, link, media))) yield problem('link_without_job', ids)
  if (mediaId === null) return
  if (!media?.links?.some((each) => each.id === linkId)) yield problem('link_not_in_file', ids)
  const folder = (await loadTree({ table }, companyId)).folderOfContents(contents)
  if (folder && folder.alias !== alias) yield problem('link_under_wrong_alias', ids)
  if (publicFiles && media && isAvailable(media) && isPublished(link, media)) yield* missingObjects({ publicFiles }, link, media)
}

/** Yields the problems of an object of the public bucket. Nothing is wrong while its link is being ended or replaced. */
export async function* checkPublicObject({ table, publicFiles }: Library, object: string): AsyncGenerator<Problem> {
  const linkId = /(?:^_\/sources\/|\/)(?<id>[0-9a-f]{32})(?:$|\.json$|\/)/.exec(object)?.groups?.id
  const link = linkId === undefined ? undefined : await getLink({ table }, toLinkId(linkId))
  const media = link && (await shownMedia({ table }, link))
  if (link && (!isPublished(link, media) || link.stale !== undefined)) return
  const { copy, manifest } = link ? objectsOf(link) : {}
  if (media && [copy, manifest, ...sourceKeys(link.linkId, link)].includes(object)) return
  if (await publicFiles?.head(object)) yield problem('public_object_unexpected', { object })
}

const shownMedia = async ({ table }: Pick<Library, 'table'>, { mediaId }: LinkRecord): Promise<MediaRecord | undefined> =>
  mediaId === null ? undefined : await getMedia({ table }, mediaId)

async function hasJob({ table, clock }: Library, link: LinkRecord, media: MediaRecord | undefined): Promise<boolean> {
  if (stateChanged(link, media ?? {}) > clock.now() - ASKED_WITHIN_MS) return true
  return (await publication.find({ table }, link.linkId)) !== undefined
}

function objectsOf(link: LinkRecord) {
  return { copy: publicKeys.copy(link), manifest: publicKeys.manifest(link) }
}

function* ownProblems(link: LinkRecord, media: MediaRecord | undefined, now: number): Generator<Problem> {
  const isUnfinished = !isPublished(link, media) || link.stale !== undefined
  if (isUnfinished && stateChanged(link, media ?? {}) < now - PUBLISHED_WITHIN_MS) yield problem('link_stuck', idsOf(link))
}

async function* missingObjects(
  { publicFiles }: Required<Pick<Library, 'publicFiles'>>,
  link: LinkRecord,
  media: AvailableMedia,
): AsyncGenerator<Problem> {
  const { copy, manifest } = objectsOf(link)
  const needed = [copy, manifest, ...(isRenderedFromOriginal(media) ? [publicKeys.original(link.linkId, link)] : [])]
  for (const object of needed) {
    const stored = await publicFiles?.head(object)
    const isWhole = stored && (object === manifest || stored.bytes === media.bytes)
    if (!isWhole) yield problem('public_object_missing', { ...idsOf(link), object })
  }
}

function idsOf({ companyId: company_id, folderId: folder_id, mediaId, linkId }: LinkRecord) {
  return { company_id, folder_id, ...(mediaId !== null && { media_id: mediaId }), object: addressOf(linkKey(linkId)) }
}
