import type { Operations } from '../../backends/table/port.ts'
import type { Writing } from '../library.ts'
import { askForRemoval } from '../tree/folder-changes.ts'
import type { ShareRecord } from './share.ts'

/** The write that ends what is being sent by a link where it takes uploads. It goes along with the one that closes the link. */
export const uploadsEnd = (library: Writing, { shareId, companyId, upload }: ShareRecord): Operations =>
  upload ? { uploads: askForRemoval(library, companyId, { shareId }) } : {}
