import { readFileSync } from 'node:fs'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { writeWhole } from '../../../shared/backends/disk/whole-file.ts'
import { DataFolderUnusable } from './failure.ts'

/**
 * Format of the data folder. To be raised by every change after which the version before would misread, lose or damage what is in the folder:
 * such a version refuses the folder then. Folders of before the first format say none.
 * - 2: work behind requests is in the table, as jobs, where a version of format 1 looks for it in queues.
 */
export const DATA_FORMAT = 2

/**
 * Refuses a data folder that a newer version has written.
 * @throws DataFolderUnusable
 */
export function requireKnownFormat(directory: string): void {
  const format = formatOf(directory)
  if (format !== undefined && format > DATA_FORMAT) {
    throw new DataFolderUnusable(
      `The data folder ${directory} was written by a newer version of this program (format ${format}; this one knows ${DATA_FORMAT}). Run that version, bring back a backup of before the update, or set DATA_DIR to another folder.`,
    )
  }
}

/** The format of a data folder, 0 of one of before the first format. @throws DataFolderUnusable, or Error with the system's code */
export function schemaOf(directory: string): number {
  return formatOf(directory) ?? 0
}

/** Writes the format down, so that older versions refuse the folder. Such a version must not have it open meanwhile. */
export async function stateFormat(directory: string): Promise<void> {
  if (formatOf(directory) === DATA_FORMAT) return
  await writeWhole(embeddedLayout(directory).format, `${JSON.stringify({ format: DATA_FORMAT })}\n`)
}

/** @returns undefined where the folder says none @throws DataFolderUnusable, or Error with the system's code */
function formatOf(directory: string): number | undefined {
  const { format: file } = embeddedLayout(directory)
  try {
    const { format } = JSON.parse(readFileSync(file, 'utf8')) ?? {}
    if (Number.isSafeInteger(format)) return format
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new DataFolderUnusable(`The file ${file} is damaged. Bring it back from a backup.`)
}
