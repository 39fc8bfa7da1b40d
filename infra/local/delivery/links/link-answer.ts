import type { IncomingHttpHeaders } from 'node:http'
import { type KnownObjects, ObjectMissing } from '../../../../shared/backends/objects/port.ts'
import { isUnchanged, type Version, versionHeaders } from '../../../../shared/http/protocol/conditional-requests.ts'
import { aiHeader, pictureDisposition, varyingHeaders } from '../../../../shared/http/protocol/link-answer.ts'
import { NotFound } from '../../../../shared/library/errors.ts'
import { shownQuery } from '../../../../shared/library/links/accepted-forms.ts'
import { aiLabelOf } from '../../../../shared/library/links/labels.ts'
import { resolveQuery } from '../../../../shared/library/links/presets.ts'
import { LINK_CACHE_CONTROL, publicKeys } from '../../../../shared/library/links/public-keys.ts'
import { linkTag } from '../../../../shared/library/links/render-link.ts'
import { streamCacheControl } from '../../../../shared/library/videos/objects.ts'
import { toLinkId } from '../../../../shared/vocabulary/ids.ts'
import { bytesAnswer, type DeliveryAnswer, described, type ObjectRequest, objectAnswer } from '../object-answer.ts'
import type { AliasRules } from './alias-rules.ts'
import type { EdgeRequest, EdgeVerdict } from './edge-function.ts'
import type { FoundPicture, LinkPictures, PictureClient } from './link-pictures.ts'
import type { LinkName, Manifests } from './manifests.ts'
import type { SmallCopies } from './small-copies.ts'

/** What links are answered with. */
export interface LinkHost {
  edge(request: EdgeRequest): EdgeVerdict
  publicFiles: KnownObjects
  copies: SmallCopies
  manifests: Manifests
  rules: AliasRules
  pictures: LinkPictures
  /** Answers an address of IIIF, as the edge function makes it. */
  iiif(path: string, request: LinkRequest): Promise<DeliveryAnswer>
  /** UNIX milliseconds */
  now(): number
}

export interface LinkRequest extends EdgeRequest {
  headers: IncomingHttpHeaders
  client: PictureClient
  /** Headers of the answer, whatever it is: filled while it is found. Errors carry them, too. */
  labels: Record<string, string>
}

/**
 * Answers a request for a link: with the file as it is, or with a picture made of it. Answers a request for a file of a stream.
 * @param request.path below the host's address
 * @throws NotFound, Busy, what rendering throws, and an AbortError when the client has left
 */
export async function answerLink(host: LinkHost, request: LinkRequest): Promise<DeliveryAnswer> {
  const verdict = host.edge(request)
  if ('answer' in verdict) return verdict.answer
  if (verdict.ignored) request.labels['link-ignored'] = verdict.ignored
  Object.assign(request.labels, varyingHeaders(verdict.query))
  if (verdict.path.startsWith('/streams/')) return streamAnswer(host, verdict.path, request)
  if (verdict.path.startsWith('/iiif/')) return host.iiif(verdict.path, request)
  const link = linkIn(verdict.path)
  const manifest = await host.manifests.find(link)
  if (manifest) Object.assign(request.labels, aiHeader(aiLabelOf(manifest)))
  if (verdict.origin === 'copies') return copyAnswer(host, link, request)
  if (!manifest) throw new NotFound('link')
  if (manifest.kind === 'other') return copyAnswer(host, link, request)
  const { modified, ...resolved } = resolveQuery(await host.rules.find(link.alias), link.alias, verdict.query)
  const query = shownQuery(resolved.query, manifest)
  // A preset may ask for what varies, too.
  Object.assign(request.labels, varyingHeaders(query))
  const version = { etag: linkTag(link.linkId, manifest, query), modified: Math.max(manifest.modified, modified) }
  if (isUnchanged(request.headers, version)) return { status: 304, headers: { ...versionHeaders(version), ...FRESHNESS } }
  const answer = async () => {
    const found = await host.pictures.find({ ...link, query, manifest }, version.etag, request.client)
    return found === 'copy' ? copyAnswer(host, link, request) : pictureAnswer(found, link, request, { asked: version, now: host.now() })
  }
  // The cache may have made room with a picture's file since it was found.
  return await answer().catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? answer() : Promise.reject(error)))
}

function linkIn(path: string): LinkName {
  const [, alias = '', linkId = ''] = path.split('/')
  return { alias, linkId: toLinkId(linkId) }
}

/** Clients ask again after this time. Until then a link may show what it showed before. */
export const FRESHNESS = { 'cache-control': LINK_CACHE_CONTROL }

async function copyAnswer({ publicFiles, copies }: LinkHost, link: LinkName, request: ObjectRequest): Promise<DeliveryAnswer> {
  const others = { ...FRESHNESS, 'x-cache': 'hit' }
  try {
    const found = await publicFiles.head(publicKeys.copy(link))
    const data = found && (await copies.find(found))
    if (data) return await bytesAnswer(data, { ...described(found), ...others }, request, found.modified)
    if (found) return await objectAnswer(publicFiles, found, request, others)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
  throw new NotFound('link')
}

async function streamAnswer({ publicFiles }: LinkHost, path: string, request: ObjectRequest): Promise<DeliveryAnswer> {
  try {
    const found = await publicFiles.head(path.slice(1))
    if (found) return await objectAnswer(publicFiles, found, request, { 'cache-control': streamCacheControl(path) })
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
  }
  throw new NotFound('stream')
}

/** Answers with a picture, or a range of it. */
export function pictureAnswer(
  found: Exclude<FoundPicture, 'copy'>,
  { linkId }: Pick<LinkName, 'linkId'>,
  request: ObjectRequest,
  { asked, now }: { asked: Version; now: number },
): Promise<DeliveryAnswer> {
  const { mime, etag, data } = 'kept' in found ? found.kept : found.rendered
  // The link may have been replaced since it was looked at.
  const modified = etag === asked.etag ? asked.modified : Number.NaN
  const age = 'kept' in found ? Math.max(0, Math.floor((now - found.kept.made) / 1000)) : 0
  const about = {
    'content-type': mime,
    ...versionHeaders({ etag, modified }),
    'accept-ranges': 'bytes',
    ...FRESHNESS,
    age: String(age),
    'x-cache': 'kept' in found ? 'hit' : 'miss',
    'content-disposition': pictureDisposition(linkId, mime),
  }
  return bytesAnswer(data, about, request, modified)
}
