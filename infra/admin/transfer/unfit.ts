import { Conflict, Invalid } from '../../../shared/library/errors.ts'
import { FileChanged } from '../../../shared/library/transfer/take-file.ts'
import { SourceUnreadable } from './source.ts'

/** Something is wrong with one file of a source. */
export class Unfit extends Error {
  override name = 'Unfit'
}

/** Whether an error is about one file, and others can be taken. */
export const isOfFile = (error: unknown): error is Error =>
  [Unfit, SourceUnreadable, FileChanged, Invalid, Conflict].some((kind) => error instanceof kind)
