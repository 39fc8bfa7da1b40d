import type { Operations } from '../../backends/table/port.ts'
import type { Writing } from '../library.ts'
import type { MetadataEdit } from './changes.ts'
import { named } from './links.ts'
import type { MediaRecord } from './media.ts'
import { askForPublication } from './publication.ts'

/**
 * The writes that ask for the publication of a picture's links where an edit changes the copyright that they carry, in the transaction of the edit.
 * None for other files: their links show them as they were uploaded.
 */
export function linksOfEdited(library: Pick<Writing, 'clock' | 'by'>, media: MediaRecord, { edited, emptied }: MetadataEdit): Operations {
  const { kind, companyId, links = [] } = media
  const after = { copyright: edited.copyright, emptied: emptied ?? media.emptied }
  return kind === 'image' && said(media) !== said(after) ? askForPublication(library, companyId, links.map(named)) : {}
}

/** Null where the file's own copyright counts. */
const said = ({ copyright, emptied }: Pick<MediaRecord, 'copyright' | 'emptied'>): string | null =>
  copyright || (emptied?.includes('copyright') ? '' : null)
