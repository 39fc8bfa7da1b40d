import type { BinaryFile } from './binary-file.ts'
import { readJpegHead } from './jpeg-head.ts'
import { listedPictures } from './multi-picture.ts'
import type { Piece } from './pieces.ts'

/**
 * All segments except metadata, and everything from the first scan to the end of the file: scans, further pictures and films. Listed
 * pictures must keep their distance from the first scan.
 */
export async function* jpegPieces(file: BinaryFile): AsyncGenerator<Piece> {
  const head = await readJpegHead(file)
  yield* head.segments
  for (const { name, behindScan } of await listedPictures(file, head)) {
    yield { name: `${name} at ${behindScan} bytes behind the scan`, start: 0, end: 0 }
  }
  yield { name: 'scans', start: head.scan, end: file.size }
}
