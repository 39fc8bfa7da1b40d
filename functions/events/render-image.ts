import type { Clock } from '../../shared/backends/clock/port.ts'
import { ObjectMissing } from '../../shared/backends/objects/port.ts'
import { isUnchanged, type KnownVersion, versionHeaders } from '../../shared/http/protocol/conditional-requests.ts'
import { iiifAnswer } from '../../shared/http/protocol/iiif-answer.ts'
import { aiHeader, linkError, linkHeaders, pictureDisposition, varyingHeaders } from '../../shared/http/protocol/link-answer.ts'
import { LibraryError, NotFound } from '../../shared/library/errors.ts'
import { shownQuery } from '../../shared/library/links/accepted-forms.ts'
import { iiifAddress } from '../../shared/library/links/iiif/address.ts'
import { aiLabelOf } from '../../shared/library/links/labels.ts'
import type { LinkManifest, StoredManifest } from '../../shared/library/links/manifest.ts'
import { type ResolvedQuery, readAliasPresets, resolveQuery } from '../../shared/library/links/presets.ts'
import { publicKeys } from '../../shared/library/links/public-keys.ts'
import { type LinkRendering, type LinkVersion, manifestOf, renderLink, untilPrepared } from '../../shared/library/links/render-link.ts'
import { originFunction } from '../../shared/runtime/consumer.ts'
import type { OriginAnswer, OriginRequest } from '../../shared/runtime/origin.ts'
import { KeptFiles } from '../../shared/tools/kept-files.ts'
import { type LinkId, toLinkId } from '../../shared/vocabulary/ids.ts'

/** Sources on the disk of the function: with the largest, which is fetched beside them, and its conversion they fit into `temporaryMb`. */
const sources = new KeptFiles({ maxBytes: 1024 ** 3 })

export const renderImage = originFunction({
  summary: 'Renders the pictures of links',
  trigger: { origin: 'links' },
  uses: { publicFiles: 'read', linkRenderer: 'use' },
  timeoutSeconds: 30,
  // 1.7 processors, and room for the largest picture that is held whole.
  memoryMb: 3008,
  temporaryMb: 1536,
  async handle({ request, clock, log, publicFiles, linkRenderer }) {
    const library = { clock, publicFiles, linkRenderer, sources }
    let { query } = request
    try {
      const address = iiifAddress(request.path)
      if (address) return await iiifAnswer(library, address, request.headers)
      const wanted = await wantedOf(library, request)
      query = wanted.query
      return varying(query, await answerTo(library, wanted, request.headers))
    } catch (error) {
      if (!(error instanceof LibraryError)) log.error('a picture of a link failed', { path: request.path, query: request.query, error })
      return varying(query, linkError(error))
    }
  },
})

/** The path of a link as the edge function makes it: `/<alias>/<id>`. */
const linkPath = /^\/([a-z0-9-]{1,63})\/([0-9a-f]{32})$/

/** A link, and what is wanted of it. */
interface Wanted extends ResolvedQuery {
  alias: string
  linkId: LinkId
  manifest: StoredManifest
}

/** @throws NotFound, Forbidden */
async function wantedOf(library: Pick<LinkRendering, 'publicFiles'>, { path, query }: OriginRequest): Promise<Wanted> {
  const [, alias, id] = linkPath.exec(path) ?? []
  if (!alias || !id) throw new NotFound('link')
  const link = { alias, linkId: toLinkId(id) }
  const [manifest, presets] = await Promise.all([manifestOf(library, link), readAliasPresets(library.publicFiles, alias)])
  // Transformations say nothing of other files.
  const resolved = manifest.kind === 'other' ? { query, tags: [], modified: 0 } : resolveQuery(presets, alias, query)
  return { ...link, manifest, ...resolved, query: shownQuery(resolved.query, manifest) }
}

async function answerTo(
  library: LinkRendering & { clock: Clock },
  { tags, modified, ...wanted }: Wanted,
  known: KnownVersion,
): Promise<OriginAnswer> {
  const { linkId, manifest } = wanted
  if (manifest.kind === 'other') return await copyOf(library, wanted, manifest, known)
  // Another query of a preset is another picture, too.
  const latest = ({ etag, ...version }: LinkVersion) => ({ etag, modified: Math.max(version.modified, modified) })
  const isKnown = (version: LinkVersion) => isUnchanged(known, latest(version))
  const answer = await untilPrepared(library.clock, () => renderLink(library, { ...wanted, isKnown }))
  if (answer.status === 'copy') return await copyOf(library, wanted, answer.manifest, known)
  const headers = { ...linkHeaders(linkId, tags), ...versionHeaders(latest(answer)), ...aiHeader(aiLabelOf(answer)) }
  if (answer.status === 'unchanged') return { status: 304, headers }
  const { mime, data } = answer.picture
  return { status: 200, headers: { ...headers, 'content-type': mime, 'content-disposition': pictureDisposition(linkId, mime) }, body: data }
}

/** An answer that depends on what the client accepts says so. */
function varying(query: string, { headers, ...answer }: OriginAnswer): OriginAnswer {
  return { ...answer, headers: { ...headers, ...varyingHeaders(query) } }
}

/** Most bytes of a file that come this way. */
const MAX_COPY_BYTES = 20 * 1024 ** 2

/** A file that is no picture: transformations say nothing of it, so it comes as it is; a large one from where links without any lead. */
async function copyOf(
  { publicFiles }: LinkRendering,
  { alias, linkId }: { alias: string; linkId: LinkId },
  { bytes, extension }: LinkManifest,
  known: KnownVersion,
): Promise<OriginAnswer> {
  const headers = linkHeaders(linkId)
  if (bytes > MAX_COPY_BYTES) return { status: 302, headers: { ...headers, location: `${linkId}.${extension}` } }
  const { stream, etag, modified, contentType, disposition } = await publicFiles
    .get(publicKeys.copy({ alias, linkId }))
    .catch((error: unknown) => {
      throw error instanceof ObjectMissing ? new NotFound('link') : error
    })
  const version = { etag: `"${etag}"`, modified }
  const labels = { 'content-type': contentType, ...versionHeaders(version), ...(disposition ? { 'content-disposition': disposition } : {}) }
  if (isUnchanged(known, version)) {
    stream.destroy()
    return { status: 304, headers: { ...headers, ...versionHeaders(version) } }
  }
  return { status: 200, headers: { ...headers, ...labels }, body: stream }
}
