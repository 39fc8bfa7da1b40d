import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ObjectLabels } from '../../backends/objects/port.ts'
import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import { type CompanyId, type ContentsId, type FolderId, type LinkId, type MediaId, toLinkId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { type CdnFolder, isCdnFolder } from '../tree/system-folders.ts'
import type { MetadataEdit } from './changes.ts'
import type { MediaLink, MediaRecord } from './media.ts'
import type { Placement } from './placement.ts'

/**
 * A public URL of a file in a CDN folder, `{cdn_url}/<alias>/<link id>.<extension>`. While its publication is unfinished it has a job
 * (`askForPublication`), unless its file is being imported: the end of the import asks for it.
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
   * The extension of the URL, without dot; `bin` for a file that has none. Absent while the file of a link is imported, and until the first publication
   * then. Kept for ever, so that the URL never changes.
   */
  extension?: string
  /** The state of the public bucket. Absent until the first publication. */
  published?: { revision: number; mediaId: MediaId }
  /** The number of the file that is published; before the first publication the one that it had when the link was made. Absent: 1. */
  file?: number
  /** Digests of what published pictures say and keep, and of the words about them. Absent until the first publication. */
  labels?: string
  words?: string
  /** The label of its copy that tells how the picture came about. */
  ai?: ObjectLabels['ai']
  /** Revision that edges are being told of; absent: they serve what is published. */
  stale?: number
  /** Who changed what it shows. */
  by?: Actor
}

export type StoredLink = Key & LinkRecord

/** The state of a link as users see it: it waits for its first publication; edges serve what it shows; they still serve what it showed before. */
export type LinkState = 'queued' | 'active' | 'replacing'

/** What states of links depend on: which file is the current one of a media record, and since when. */
type CurrentFile = Pick<MediaRecord, 'fileNumber' | 'fileCreated'>

/** The state of a link as users see it. @param media whose file it shows */
export function stateOf(link: LinkRecord, media: CurrentFile): LinkState {
  if (!link.published) return 'queued'
  return isShown(link, media) && link.stale === undefined ? 'active' : 'replacing'
}

/** When the state of a link changed last, in UNIX milliseconds. Its record isn't written when another file becomes the current one. */
export const stateChanged = (link: LinkRecord, media: CurrentFile): number =>
  link.published && !isShown(link, media) ? Math.max(link.changed, media.fileCreated ?? 0) : link.changed

/** Whether the public bucket holds what the link says; of one that has ended nothing, and edges are being told. @param media whose file it shows */
export function isPublished(link: LinkRecord, media: CurrentFile | undefined): boolean {
  return link.mediaId === null ? link.stale === link.revision : media !== undefined && isShown(link, media)
}

const isShown = ({ published, revision, file = 1 }: LinkRecord, { fileNumber = 1 }: CurrentFile): boolean =>
  published?.revision === revision && file === fileNumber

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

/** The operation that makes a link. Its publication is asked for in the same transaction (`askForPublication`). */
export function linkCreation(
  { clock, by }: Changing,
  { linkId, mediaId, extension, file }: Pick<LinkRecord, 'linkId' | 'mediaId' | 'extension' | 'file'>,
  folder: CdnFolder,
): Operation {
  const now = clock.now()
  const { companyId, folderId, alias } = folder
  const link: LinkRecord = {
    ...{ linkId, companyId, alias, folderId, contents: contentsOf(folder), mediaId },
    ...{ revision: 1, created: now, changed: now, by },
    ...(extension !== undefined && { extension }),
    ...(file !== undefined && { file }),
  }
  return { put: { ...linkKey(linkId), ...link }, if: { pk: { exists: false } } }
}

/**
 * The operation by which a link shows another file, or nothing: then it has ended. It fails where the link doesn't show the first file. Its
 * publication, or its removal, is asked for in the same transaction (`askForPublication`).
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

/** A link as a job knows it, whose record may be gone. */
export type LinkAddress = Pick<LinkRecord, 'linkId' | 'alias'>

/** Brings the public bucket to what a link says. A job that names several links asks for a job of each. */
export const publication = new JobKind<LinkAddress | { links: LinkAddress[] }>('publish-link')

/** Jobs that one transaction asks for. */
const AT_ONCE = 50

/**
 * The write that asks for the publication of links, in the transaction that changes what they show, or makes the file available that they
 * show. It is one however many links there are, because transactions have little room.
 * @param at earliest run in UNIX milliseconds; at once by default
 */
export function askForPublication(
  library: Changing,
  companyId: CompanyId,
  links: readonly Pick<MediaLink, 'id' | 'alias'>[],
  at?: number,
): Operations {
  const [first, ...others] = links.map(({ id, alias }): LinkAddress => ({ linkId: id, alias }))
  if (!first) return {}
  if (others.length === 0) return publicationOf(library, companyId, first, at)
  const subject = randomUUID()
  const wanted = { companyId, subject, input: { links: [first, ...others] }, ...(at !== undefined && { at }) }
  return { [`publication ${subject}`]: publication.ask(library, wanted) }
}

/** Asks for a job of each link. Idempotent. */
export async function askForEachPublication(library: Writing, companyId: CompanyId, links: readonly LinkAddress[]): Promise<void> {
  for (let start = 0; start < links.length; start += AT_ONCE) {
    const some = links.slice(start, start + AT_ONCE)
    await library.table.transact(Object.assign({}, ...some.map((link) => publicationOf(library, companyId, link))))
  }
}

function publicationOf(library: Changing, companyId: CompanyId, { linkId, alias }: LinkAddress, at?: number): Operations {
  const wanted = { companyId, subject: linkId, input: { linkId, alias }, ...(at !== undefined && { at }) }
  return { [`publication ${linkId}`]: publication.ask(library, wanted) }
}

/** Most links of one file in one folder. One transaction ends all of them with the pointer. */
export const MAX_LINKS_IN_FOLDER = 40

/** Links to create with given addresses, by the contents id of their folder; at least one each. */
export type NewLinks = ReadonlyMap<ContentsId, readonly Pick<LinkRecord, 'linkId' | 'extension'>[]>

type Linked = Pick<MediaRecord, 'mediaId' | 'companyId' | 'state' | 'links' | 'fileNumber' | 'extension'>

/** A file's links after a change of its placement. */
export interface LinksAfterPlacement {
  /** Undefined where the change makes and ends none. */
  links: MediaLink[] | undefined
  /** Operations on the links' own records. */
  operations: Operations
  /** The write that asks for the publication of those links. */
  publication: Operations
}

/**
 * A file's links after a change of its placement. Links end with their pointers, and a full pointer in a CDN folder makes one. A read-only pointer
 * makes none, because its maker may not publish the file. Links to a file that is being imported are published at the end of the import
 * (`importEnd`).
 * @param into folders that get a pointer, or whose pointer becomes full. Links there under a former alias end too
 * @param wanted links to create in CDN folders, by their contents ids; by default one with a new address
 */
export function linksAfterPlacement(
  library: Changing,
  { mediaId, companyId, state, links = [], fileNumber: file, extension: itsOwn }: Linked,
  after: Placement,
  into: readonly FolderRecord[],
  wanted: NewLinks = new Map(),
): LinksAfterPlacement {
  const aliases = new Map(into.map((folder) => [contentsOf(folder), folder.alias]))
  const stays = ({ contents, alias }: MediaLink) => after.has(contents) && (!aliases.has(contents) || aliases.get(contents) === alias)
  const [kept, ended] = [links.filter(stays), links.filter((link) => !stays(link))]
  const isLinked = (folder: FolderRecord) => kept.some(({ contents }) => contents === contentsOf(folder))
  const known = state === 'available' && itsOwn !== undefined ? linkExtension({ extension: itsOwn }) : undefined
  const made = into
    .filter(isCdnFolder)
    .filter((folder) => after.get(contentsOf(folder)) === 'full' && !isLinked(folder))
    .flatMap((folder) => {
      const contents = contentsOf(folder)
      return (wanted.get(contents) ?? [{ linkId: newLinkId() }]).map(({ linkId, extension = known }) => {
        return { link: { id: linkId, contents, alias: folder.alias }, extension, folder }
      })
    })
  return {
    links: ended.length + made.length > 0 ? [...kept, ...made.map(({ link }) => link)] : undefined,
    operations: {
      ...Object.fromEntries(ended.map(({ id }) => [`link ${id}`, linkChange(library, id, { from: mediaId, to: null })])),
      ...Object.fromEntries(
        made.map(({ link, extension, folder }) => {
          return [
            `link ${link.id}`,
            linkCreation(
              library,
              { linkId: link.id, mediaId, ...(extension !== undefined && { extension }), ...(file && { file }) },
              folder,
            ),
          ]
        }),
      ),
    },
    publication: askForPublication(library, companyId, [...ended, ...(state === 'available' ? made.map(({ link }) => link) : [])]),
  }
}

/** The links of a picture that show something else after an edit. None of other files: their links show them as they were uploaded. */
export function linksChangedBy(media: MediaRecord, { edited, emptied }: MetadataEdit): readonly MediaLink[] {
  const { kind, links = [] } = media
  const after = { ...media, ...edited, emptied: emptied ?? media.emptied }
  return kind === 'image' && !isDeepStrictEqual(shownIn(media), shownIn(after)) ? links : []
}

/** What a picture's links show of its metadata. */
const shownIn = (media: MediaRecord) => [knownCopyright(media), media.focalPoint ?? null, media.title, media.description]

/** The library's copyright of a picture, empty for an emptied one; null: the file's own counts. */
export const knownCopyright = ({ copyright, emptied }: Pick<MediaRecord, 'copyright' | 'emptied'>): string | null =>
  copyright || (emptied?.includes('copyright') ? '' : null)
