import type { Operations } from '../../backends/table/port.ts'
import type { ContentsId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { isCdnFolder } from '../tree/system-folders.ts'
import type { Changing } from './changes.ts'
import { type LinkRecord, linkChange, linkCreation, newLinkId } from './link.ts'
import type { MediaLink, MediaRecord } from './media.ts'
import type { Placement } from './placement.ts'
import { askForPublication, type NamedLink } from './publication.ts'

/** Most links of one file in one folder. One transaction ends all of them with the pointer. */
export const MAX_LINKS_IN_FOLDER = 40

/** Links to create with given addresses, by the contents id of their folder; at least one each. */
export type WantedLinks = ReadonlyMap<ContentsId, readonly Pick<LinkRecord, 'linkId' | 'extension'>[]>

/** A file's links after a change of its placement. */
export interface LinkedPlacement {
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
 * (importing.ts).
 * @param into folders that get a pointer, or whose pointer becomes full. Links there under a former alias end too
 * @param wanted links to create in CDN folders, by their contents ids; by default one with a new address
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

/** A file's link as jobs name it. */
export const named = ({ id, alias }: MediaLink): NamedLink => ({ linkId: id, alias })
