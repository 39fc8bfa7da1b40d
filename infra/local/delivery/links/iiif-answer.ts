import { isUnchanged, versionHeaders, weakTag } from '../../../../shared/http/protocol/conditional-requests.ts'
import { imageHeaders } from '../../../../shared/http/protocol/iiif-answer.ts'
import { NotFound, Undecodable } from '../../../../shared/library/errors.ts'
import { type IiifName, iiifAddress, isPicture, serviceId } from '../../../../shared/library/links/iiif/address.ts'
import { type DocumentName, documentOf, isDocument, noPicture } from '../../../../shared/library/links/iiif/documents.ts'
import { factsOf, imageKey, type WantedImage } from '../../../../shared/library/links/iiif/render-image.ts'
import type { StoredManifest } from '../../../../shared/library/links/manifest.ts'
import { requireFree } from '../../../../shared/library/links/presets.ts'
import { linkTag } from '../../../../shared/library/links/render-link.ts'
import { bytesAnswer, type DeliveryAnswer } from '../object-answer.ts'
import type { AliasRules } from './alias-rules.ts'
import { FRESHNESS, type LinkRequest, pictureAnswer } from './link-answer.ts'
import type { LinkPictures } from './link-pictures.ts'
import type { Manifests } from './manifests.ts'

/** What addresses of IIIF are answered with. */
export interface IiifHost {
  /** The address of links, without trailing slash. */
  cdnUrl: string
  manifests: Manifests
  rules: AliasRules
  images: LinkPictures<Omit<WantedImage, 'isKnown'>>
  /** UNIX milliseconds */
  now(): number
}

/**
 * Answers an address of IIIF with a picture, or with what describes it.
 * @param path as the edge function makes it
 * @throws NotFound, Invalid, Busy, what rendering throws, and an AbortError when the client has left
 */
export async function answerIiif(host: IiifHost, path: string, request: LinkRequest): Promise<DeliveryAnswer> {
  const address = iiifAddress(path)
  if (!address) throw new NotFound('link')
  const { rest, alias, linkId } = address
  const link = { alias, linkId }
  return isDocument(rest) ? documentAnswer(host, link, rest, request) : imageAnswer(host, { ...link, rest }, request)
}

async function documentAnswer(host: IiifHost, link: IiifName, name: DocumentName, request: LinkRequest): Promise<DeliveryAnswer> {
  const manifest = await manifestOf(host, link)
  const { mime, data } = documentOf(name, serviceId(host.cdnUrl, link), manifest)
  const { modified } = manifest
  const about = { 'content-type': mime, ...versionHeaders({ etag: weakTag(data), modified }), ...FRESHNESS }
  return await bytesAnswer(data, about, request, modified)
}

/** Times that an answer is looked for anew while the link is replaced. */
const ATTEMPTS = 5

async function imageAnswer(host: IiifHost, wanted: IiifName & { rest: string }, request: LinkRequest): Promise<DeliveryAnswer> {
  const { rest, alias, linkId } = wanted
  for (let attempt = 1; ; attempt++) {
    const [manifest, presets] = await Promise.all([manifestOf(host, wanted), host.rules.find(alias)])
    if (manifest.kind === 'other') throw noPicture()
    requireFree(presets)
    if (!isPicture(manifest)) throw new Undecodable()
    const { width, height, modified } = manifest
    const version = { etag: linkTag(linkId, manifest, imageKey(rest)), modified }
    const facts = factsOf(rest, { ...manifest, original: { width, height } })
    const labels = imageHeaders(serviceId(host.cdnUrl, wanted), facts)
    if (isUnchanged(request.headers, version)) return { status: 304, headers: { ...versionHeaders(version), ...FRESHNESS, ...labels } }
    const found = await host.images.find({ ...wanted, manifest }, version.etag, request.client)
    if (found === 'copy') throw noPicture()
    const { etag } = 'kept' in found ? found.kept : found.rendered
    // What it is said to be is of one file, too.
    if (etag !== version.etag && attempt < ATTEMPTS) continue
    try {
      const answer = await pictureAnswer(found, wanted, request, { asked: version, now: host.now() })
      return { ...answer, headers: { ...answer.headers, ...labels } }
    } catch (error) {
      // The cache may have made room with the picture's file since it was found.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error
    }
  }
}

async function manifestOf({ manifests }: IiifHost, link: IiifName): Promise<StoredManifest> {
  const manifest = await manifests.find(link)
  if (!manifest) throw new NotFound('link')
  return manifest
}
