import type { Clock } from '../../backends/clock/port.ts'
import { type IiifAddress, serviceId } from '../../library/links/iiif/address.ts'
import { type DocumentName, documentOf, isDocument, noPicture } from '../../library/links/iiif/documents.ts'
import { type ImageFacts, renderImage } from '../../library/links/iiif/render-image.ts'
import { readAliasPresets, requireFree } from '../../library/links/presets.ts'
import { aliasTag } from '../../library/links/public-keys.ts'
import { type LinkRendering, type LinkVersion, manifestOf, untilPrepared } from '../../library/links/render-link.ts'
import type { OriginAnswer } from '../../runtime/origin.ts'
import { isUnchanged, type KnownVersion, versionHeaders, weakTag } from './conditional-requests.ts'
import { aiHeader, linkHeaders, pictureDisposition } from './link-answer.ts'

const PROFILE = '<http://iiif.io/api/image/3/level2.json>;rel="profile"'

/** Headers that tell of a picture of IIIF, in the names of its specification. @param id the address of its service */
export function imageHeaders(id: string, { canonical, ai }: ImageFacts): Record<string, string> {
  return { link: `<${id}/${canonical}>;rel="canonical", ${PROFILE}`, ...aiHeader(ai) }
}

/**
 * Answers an address of IIIF at an origin of the CDN.
 * @param address as the edge function makes it
 * @throws NotFound, Forbidden `presets_only` for pictures, Invalid, what rendering throws
 */
export async function iiifAnswer(
  library: LinkRendering & { clock: Clock },
  address: IiifAddress,
  known: KnownVersion,
): Promise<OriginAnswer> {
  const { rest } = address
  return isDocument(rest) ? documentAnswer(library, address, rest, known) : imageAnswer(library, address, known)
}

async function documentAnswer(
  library: LinkRendering,
  address: IiifAddress,
  name: DocumentName,
  known: KnownVersion,
): Promise<OriginAnswer> {
  const manifest = await manifestOf(library, address)
  const { mime, data } = documentOf(name, idOf(address), manifest)
  const version = { etag: weakTag(data), modified: manifest.modified }
  const headers = { ...linkHeaders(address.linkId), ...versionHeaders(version) }
  if (isUnchanged(known, version)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'content-type': mime }, body: data }
}

async function imageAnswer(library: LinkRendering & { clock: Clock }, address: IiifAddress, known: KnownVersion): Promise<OriginAnswer> {
  const { alias, linkId, rest } = address
  const [manifest, presets] = await Promise.all([manifestOf(library, address), readAliasPresets(library.publicFiles, alias)])
  if (manifest.kind === 'other') throw noPicture()
  requireFree(presets)
  const isKnown = (version: LinkVersion) => isUnchanged(known, version)
  const answer = await untilPrepared(library.clock, () => renderImage(library, { alias, linkId, rest, manifest, isKnown }))
  const headers = { ...linkHeaders(linkId, [aliasTag(alias)]), ...versionHeaders(answer), ...imageHeaders(idOf(address), answer) }
  if (answer.status === 'unchanged') return { status: 304, headers }
  const { mime, data } = answer.picture
  return { status: 200, headers: { ...headers, 'content-type': mime, 'content-disposition': pictureDisposition(linkId, mime) }, body: data }
}

/** Links are served over HTTPS alone. */
const idOf = ({ host, ...name }: IiifAddress): string => serviceId(`https://${host}`, name)
