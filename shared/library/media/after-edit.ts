import type { Operations } from '../../backends/table/port.ts'
import type { Writing } from '../library.ts'
import type { MetadataEdit } from './changes.ts'
import { askForLabels, changesLabels } from './label-job.ts'
import { askForPublication, linksChangedBy } from './link.ts'
import type { MediaRecord } from './media.ts'

/** An edit of a file, and the file before it. */
export interface EditOf {
  before: MediaRecord
  change: MetadataEdit
}

/**
 * The writes that ask for what edits change of pictures, in the transaction of the edits: the publication of links, and the labels of what is stored.
 * At most two for the files of a company, because transactions have little room.
 * @param at earliest run in UNIX milliseconds; at once by default
 */
export function askedByEdits(library: Pick<Writing, 'clock' | 'by'>, edits: readonly EditOf[], at?: number): Operations {
  const byCompany = Map.groupBy(edits, ({ before }) => before.companyId)
  const operations = [...byCompany].map(([companyId, those]): Operations => {
    const links = those.flatMap(({ before, change }) => linksChangedBy(before, change))
    const labelled = those.flatMap(({ before, change }) => (changesLabels(before, change) ? [before.mediaId] : []))
    return {
      ...askForPublication(library, companyId, links, at),
      ...(labelled.length > 0 && { [`labels ${companyId}`]: askForLabels(library, companyId, labelled, at) }),
    }
  })
  return Object.assign({}, ...operations)
}
