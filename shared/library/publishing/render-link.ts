import type { ObjectReader, Objects } from '../../backends/objects/port.ts'
import type { LinkPictureMime, LinkRenderer } from '../../tools/imaging/link-picture.ts'
import type { LinkManifest } from './manifest.ts'

/** What rendering needs: the public bucket, to read, and the tool. */
export interface LinkRendering {
  publicFiles: ObjectReader & Pick<Objects, 'fetch'>
  linkRenderer: LinkRenderer
}

/** A link with a transformation, as the edge function hands it on. */
export interface WantedLink {
  alias: string
  linkId: string
  /** Canonical, and not empty. */
  query: string
  /** `If-None-Match` of the request. */
  ifNoneMatch?: string | undefined
}

/** `unchanged`: the client has it already. `copy`: the file is no picture, so it is shown as it is. `etag` is in quotes. */
export type LinkAnswer =
  | { status: 'picture'; etag: string; manifest: LinkManifest; mime: LinkPictureMime; data: Uint8Array }
  | { status: 'unchanged'; etag: string; manifest: LinkManifest }
  | { status: 'copy'; manifest: LinkManifest }

/**
 * Answers a link with a transformation.
 * @throws NotFound when there is no such link; Undecodable; NotReady while its source is being made; InvalidTransformation
 */
export type RenderLink = (library: LinkRendering, wanted: WantedLink) => Promise<LinkAnswer>
