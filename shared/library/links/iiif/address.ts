import { type LinkId, toLinkId } from '../../../vocabulary/ids.ts'
import type { LinkManifest } from '../manifest.ts'

/** A picture of a link, as IIIF names it. */
export interface IiifName {
  alias: string
  linkId: LinkId
}

/** An address of IIIF as the edge function hands it on. */
export interface IiifAddress extends IiifName {
  /** Of links, as the client sent it. */
  host: string
  /** What is asked of the picture, behind its id: `info.json`. */
  rest: string
}

const ADDRESS = /^\/iiif\/([A-Za-z0-9.:[\]-]{1,255})\/([a-z0-9-]{1,63})\/([0-9a-f]{32})\/(.{1,1000})$/

/** Where an alias is called as IIIF's addresses begin, its links have none. */
const WITHOUT_IIIF = 'iiif'

/** Parses `/iiif/<host>/<alias>/<id>/<rest>`. @returns undefined for what is none */
export function iiifAddress(path: string): IiifAddress | undefined {
  const [, host, alias, id, rest] = ADDRESS.exec(path) ?? []
  if (!host || !alias || !id || !rest || alias === WITHOUT_IIIF) return undefined
  return { host, alias, linkId: toLinkId(id), rest }
}

/** The address of a picture's image service. @param cdnUrl of links, without trailing slash */
export const serviceId = (cdnUrl: string, { alias, linkId }: IiifName): string => `${cdnUrl}/iiif/3/${alias}/${linkId}`

/** A manifest of a picture whose size is known. */
export type PictureManifest<Manifest extends LinkManifest = LinkManifest> = Manifest & { width: number; height: number }

/** Whether a link's file is a picture that can be shown. */
export function isPicture<Manifest extends LinkManifest>(manifest: Manifest): manifest is PictureManifest<Manifest> {
  return manifest.kind === 'image' && manifest.width !== null && manifest.height !== null
}
