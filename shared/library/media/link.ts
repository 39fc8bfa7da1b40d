import { randomBytes } from 'node:crypto'
import type { Key, Operation } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, type LinkId, type MediaId, toLinkId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import type { Reading, Writing } from '../library.ts'
import { contentsOf } from '../tree/folder.ts'
import type { CdnFolder } from '../tree/system-folders.ts'

/**
 * A public URL of a file in a CDN folder, `{cdn_url}/<alias>/<link id>.<extension>`. While its publication is unfinished it has a job
 * (publication.ts), unless its file is being imported: the end of the import asks for it.
 */
export type LinkRecord = {
  linkId: LinkId
  companyId: CompanyId
  alias: string
  folderId: FolderId
  contents: ContentsId
  /** The file that it shows; null: it has ended. */
  mediaId: MediaId | null
  /** Counts what it is to show, from 1: each replacement, and its end. */
  revision: number
  /** UNIX milliseconds */
  created: number
  /** When its state changed last, in UNIX milliseconds. */
  changed: number
  /**
   * The extension of the URL, without dot; `bin` for a file that has none. Set at the first publication, or when a file is replaced before
   * that, and kept for ever, so that the URL never changes.
   */
  extension?: string
  /** The state of the public bucket. Absent until the first publication. */
  published?: { revision: number; mediaId: MediaId }
  /** The copyright that published pictures carry, empty for none. Absent until the first publication. */
  copyright?: string
  /** Revision that edges are being told of; absent: they serve what is published. */
  stale?: number
  /** Who changed what it shows. */
  by?: Actor
}

export type StoredLink = Key & LinkRecord

/** The state of a link as users see it: it waits for its first publication; edges serve what it shows; they still serve what it showed before. */
export type LinkState = 'queued' | 'active' | 'replacing'

export function stateOf({ published, revision, stale }: LinkRecord): LinkState {
  if (!published) return 'queued'
  return published.revision !== revision || stale !== undefined ? 'replacing' : 'active'
}

/** Whether the public bucket holds what the link says; of one that has ended nothing, and edges are being told. */
export function isPublished({ mediaId, revision, published, stale }: LinkRecord): boolean {
  return mediaId === null ? stale === revision : published?.revision === revision
}

export const linkKey = (linkId: LinkId): Key => ({ pk: `LINK#${linkId}`, sk: 'LINK' })

/** The link that a key is of. */
export const linkIdOf = ({ pk }: Pick<Key, 'pk'>): LinkId => toLinkId(pk.slice('LINK#'.length))

/** A link, where there is one; also one that has ended. Says nothing of rights. */
export async function getLink({ table }: Reading, linkId: LinkId): Promise<LinkRecord | undefined> {
  return table.get<StoredLink>(linkKey(linkId))
}

/** Any number of links, in the order of their ids here; those that are gone are left out. */
export async function getLinks({ table }: Reading, linkIds: readonly LinkId[], options?: { consistent?: boolean }): Promise<LinkRecord[]> {
  return table.getMany<StoredLink>(linkIds.map(linkKey), options)
}

/** 128 random bits, so that nobody guesses it; lower-case hex, because cache tags of CloudFront ignore case. */
export const newLinkId = (): LinkId => toLinkId(randomBytes(16).toString('hex'))

/** The extension of a URL: the file's, or `bin` for a file without. @param extension without dot, empty where there is none */
export const linkExtension = ({ extension }: { extension: string }): string => extension || 'bin'

/** The resources of changes of links, before they are committed. */
type Changing = Pick<Writing, 'clock' | 'by'>

/** The operation that makes a link. Its publication is asked for in the same transaction (publication.ts). */
export function linkCreation(
  { clock, by }: Changing,
  { linkId, mediaId, extension }: Pick<LinkRecord, 'linkId' | 'mediaId' | 'extension'>,
  folder: CdnFolder,
): Operation {
  const now = clock.now()
  const { companyId, folderId, alias } = folder
  const link: LinkRecord = {
    ...{ linkId, companyId, alias, folderId, contents: contentsOf(folder), mediaId },
    ...{ revision: 1, created: now, changed: now, by },
    ...(extension !== undefined && { extension }),
  }
  return { put: { ...linkKey(linkId), ...link }, if: { pk: { exists: false } } }
}

/**
 * The operation by which a link shows another file, or nothing: then it has ended. It fails where the link doesn't show the first file. Its
 * publication, or its removal, is asked for in the same transaction (publication.ts).
 * @param change.extension of its URL, where that is known by now
 */
export function linkChange(
  { clock, by }: Changing,
  linkId: LinkId,
  { from, to, extension }: { from: MediaId; to: MediaId | null } & Pick<LinkRecord, 'extension'>,
): Operation {
  const now = clock.now()
  return {
    update: linkKey(linkId),
    changes: { set: { mediaId: to, extension, changed: now, by }, add: { revision: 1 } },
    if: { mediaId: { equals: from } },
  }
}
