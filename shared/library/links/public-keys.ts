import type { EncodingId, LinkId } from '../../vocabulary/ids.ts'
import type { LinkRecord } from '../media/link.ts'

type OfLink = Pick<LinkRecord, 'alias' | 'linkId'>

/** A file that a link shows: the link's revision, and the number of the file; absent: 1. No other bytes ever have the same two. */
export type ShownFile = { revision: number; file?: number | undefined }

/** Names what is rendered from: `<revision>`, with `.<number>` for files that came in place of the first. */
export const sourceName = ({ revision, file = 1 }: ShownFile): string => (file === 1 ? String(revision) : `${revision}.${file}`)

/** Whether a link showed what a source's name is of before another file. */
export function isShownBefore(name: string, { revision, file = 1 }: ShownFile): boolean {
  const [itsRevision = 0, itsFile = 1] = name.split('.').map(Number)
  return itsRevision < revision || (itsRevision === revision && itsFile < file)
}

/** What renderers know of aliases is below this prefix. */
export const ALIASES = '_/aliases/'

/** The keys of a link's objects in the public bucket. */
export const publicKeys = {
  /** The file's bytes. It is the path of the link: what CloudFront fetches for a link without parameters. */
  copy: ({ alias, linkId }: OfLink) => `${alias}/${linkId}`,
  /** The renderer's manifest of the link, as JSON. No alias begins with `_`. */
  manifest: ({ alias, linkId }: OfLink) => `_/links/${alias}/${linkId}.json`,
  /** What renderers know of an alias, as JSON. */
  presets: (alias: string) => `${ALIASES}${alias}.json`,
  /** All that was ever rendered from. */
  sources: (linkId: LinkId) => `_/sources/${linkId}/`,
  /** All that is rendered from while a link shows one file. */
  sourcesOf: (linkId: LinkId, shown: ShownFile) => `${publicKeys.sources(linkId)}${sourceName(shown)}/`,
  /** The picture itself. */
  original: (linkId: LinkId, shown: ShownFile) => `${publicKeys.sourcesOf(linkId, shown)}original`,
  /** Nothing can be rendered: the picture could not be converted. */
  undecodable: (linkId: LinkId, shown: ShownFile) => `${publicKeys.sourcesOf(linkId, shown)}undecodable`,
  /** The picture, smaller: small sizes are rendered from it. */
  master: (linkId: LinkId, shown: ShownFile) => `${publicKeys.sourcesOf(linkId, shown)}master`,
  /** Smaller still, for the smallest sizes. */
  smallMaster: (linkId: LinkId, shown: ShownFile) => `${publicKeys.sourcesOf(linkId, shown)}small-master`,
  /** A large picture in tiles of several sizes: parts of it are rendered from them. */
  pyramid: (linkId: LinkId, shown: ShownFile) => `${publicKeys.sourcesOf(linkId, shown)}pyramid`,
}

/** The keys of all that is rendered from while a link shows one file, and of the mark that there is nothing. Not every file has each of them. */
export const sourceKeys = (linkId: LinkId, shown: ShownFile): string[] => {
  const { original, master, smallMaster, pyramid, undecodable } = publicKeys
  return [original, master, smallMaster, pyramid, undecodable].map((key) => key(linkId, shown))
}

/** All streams of videos, and all files of one. */
export const STREAMS = 'streams/'
export const streamPrefix = (encodingId: EncodingId): string => `${STREAMS}${encodingId}/`

/** The console's files are below this prefix of the `public` bucket of a deployment. */
export const CONSOLE_FILES = '_/console/'

/** Seconds that a link may take to appear or to go. */
export const LINK_SECONDS = 20

/**
 * `Cache-Control` of everything that a link shows. Browsers and proxies ask again after these seconds. Edges
 * keep it until they are told to forget it: infra/aws/stack/link-delivery.ts says so, because proxies would obey an `s-maxage`, too.
 */
export const LINK_CACHE_CONTROL = `public, max-age=${LINK_SECONDS}`

/** The tag of all that edges keep of a link: by it they are told to fetch it anew. */
export const cacheTag = (linkId: LinkId): string => `link-${linkId}`

/** The tag of all that is rendered of an alias's links. */
export const aliasTag = (alias: string): string => `alias-${alias}`
