import type { Operations } from '../../backends/table/port.ts'
import type { ContentsId } from '../../vocabulary/ids.ts'
import { type LinkRecord, linkChange, linkCreation, newLinkId } from '../links/link.ts'
import { askForPublication, type NamedLink } from '../links/publication.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { isCdnFolder } from '../tree/system-folders.ts'
import type { Changing } from './changes.ts'
import type { MediaLink, MediaRecord } from './media.ts'
import type { Placement } from './placement.ts'

/** Most links of one file in one folder: all of them end with its pointer, in one transaction. */
export const MAX_LINKS_IN_FOLDER = 40

/** Links that are to be made with addresses that they had elsewhere, by the contents of their folders: of each at least one. */
export type WantedLinks = ReadonlyMap<ContentsId, readonly Pick<LinkRecord, 'linkId' | 'extension'>[]>

/** A file's links after a change of its placement. */
export interface LinkedPlacement {
  /** Undefined where the change makes none, and ends none. */
  links: MediaLink[] | undefined
  /** What the change does to the links' own records. */
  operations: Operations
  /** The write that asks for the publication of those links. */
  publication: Operations
}

/**
 * What a change of its placement means for a file's links: they end with their pointers, and a full pointer in a CDN folder makes one. A
 * read-only pointer makes none, because whoever placed it may not publish the file. Links to a file that is being imported are published when
 * that has ended (importing.ts).
 * @param into folders into which pointers are put, or whose pointers are made full: links under another alias than the folder's end, too
 * @param wanted links that are made in CDN folders, by their contents; one of a new address where there are none
 */
export function linkedPlacement(
  library: Changing,
  { mediaId, companyId, state, links = [] }: Pick<MediaRecord, 'mediaId' | 'companyId' | 'state' | 'links'>,
  after: Placement,
  into: readonly FolderRecord[],
  wanted: WantedLinks = new Map(),
): LinkedPlacement {
  const aliases = new Map(into.map((folder) => [contentsOf(folder), folder.alias]))
  const stays = ({ contents, alias }: MediaLink) => after.has(contents) && (!aliases.has(contents) || aliases.get(contents) === alias)
  const [kept, ended] = [links.filter(stays), links.filter((link) => !stays(link))]
  const isLinked = (folder: FolderRecord) => kept.some(({ contents }) => contents === contentsOf(folder))
  const made = into
    .filter(isCdnFolder)
    .filter((folder) => after.get(contentsOf(folder)) === 'full' && !isLinked(folder))
    .flatMap((folder) => {
      const contents = contentsOf(folder)
      return (wanted.get(contents) ?? [{ linkId: newLinkId() }]).map(({ linkId, extension }) => {
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
            linkCreation(library, { linkId: link.id, mediaId, ...(extension !== undefined && { extension }) }, folder),
          ]
        }),
      ),
    },
    publication: askForPublication(
      library,
      companyId,
      [...ended, ...(state === 'available' ? made.map(({ link }) => link) : [])].map(named),
    ),
  }
}

/** A link of a file, as jobs name it. */
export const named = ({ id, alias }: MediaLink): NamedLink => ({ linkId: id, alias })
