import type { BinaryFile } from './binary-file.ts'

/** A part of a file that has nothing to do with the written fields. It is the same in the copy, though it may lie elsewhere. */
export interface Piece {
  /** What it is, with all that is to be the same besides its bytes. */
  name: string
  /** Bytes from the beginning of the file. */
  start: number
  /** Byte behind its last one. */
  end: number
}

/** Finds the pieces of a file. They come in the same order for the copy. @throws ToolFailed for a file that isn't as its format says */
export type FindPieces = (file: BinaryFile) => AsyncIterable<Piece>
