import type { Objects } from '../../backends/objects/port.ts'
import { crc32OfFile } from '../../tools/digest.ts'
import { isOfTheSystem, ToolFailed } from '../../tools/failure.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { Writing } from '../library.ts'
import type { PreparedDownload } from './prepared.ts'
import type { Source } from './source.ts'

/** What copies are made with. */
export interface Making extends Pick<Writing, 'table' | 'clock'> {
  media: Objects
  exiftool: Pick<ExifTool, 'writeFields'>
}

/** Stores a copy of a file that carries its fields. @returns undefined where the file can't be written @throws ObjectMissing, and the system's errors */
export async function makeCopy({ media, exiftool }: Making, source: Source, key: string): Promise<PreparedDownload['copy']> {
  await using workspace = await Workspace.open('download')
  const [original, target] = [workspace.path('original'), workspace.path('copy')]
  await media.fetch(source.key, original)
  try {
    await exiftool.writeFields(original, target, source.fields, { breaksCredentials: source.breaksCredentials })
  } catch (error) {
    if (error instanceof ToolFailed && !isOfTheSystem(error)) return undefined
    throw error
  }
  const storing = media.putFile(key, target, { contentType: source.mime })
  const [{ bytes, etag }, crc32] = await Promise.all([storing, crc32OfFile(target)])
  return { bytes, etag, crc32 }
}
