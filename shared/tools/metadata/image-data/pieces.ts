import type { BinaryFile } from './binary-file.ts'

/** A part of a file that is independent of the written fields. It must be the same in the copy, maybe at another offset. */
export interface Piece {
  /** Identifies the piece. Contains everything that must be the same besides the bytes. */
  name: string
  /** Offset in the file. */
  start: number
  /** Offset after its last byte. */
  end: number
}

/** Finds the pieces of a file, in the same order for source and copy. @throws ToolFailed for a file that violates its format */
export type FindPieces = (file: BinaryFile) => AsyncIterable<Piece>
