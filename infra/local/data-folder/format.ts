import { readFileSync, statSync } from 'node:fs'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { writeWhole } from '../../../shared/backends/disk/whole-file.ts'
import { DataFolderUnusable } from './failure.ts'

/**
 * The format of the data folder. Every change after which an older or newer version would misread, lose or damage what is in the folder raises it:
 * versions refuse folders of other formats. README.md says what else such a change needs. Formats below 3 were never released.
 */
export const DATA_FORMAT = 3

/** Whether there is a library in a folder. */
export function hasLibrary(directory: string): boolean {
  return statSync(embeddedLayout(directory).table, { throwIfNoEntry: false })?.isFile() ?? false
}

/**
 * Refuses a data folder of another format. A folder without a library may lack the format.
 * @throws DataFolderUnusable, or Error with the system's code
 */
export function requireKnownFormat(directory: string): void {
  const format = formatOf(directory)
  if (format === DATA_FORMAT || (format === undefined && !hasLibrary(directory))) return
  const newer = format !== undefined && format > DATA_FORMAT
  const formats = `(${format === undefined ? 'no format' : `format ${format}`}; this one knows ${DATA_FORMAT})`
  throw new DataFolderUnusable(
    newer
      ? `The data folder ${directory} was written by a newer version of this program ${formats}. Run that version, bring back a backup of before the update, or set DATA_DIR to another folder.`
      : `The data folder ${directory} was written by an older version of this program ${formats}, and cannot be brought up to date. Run that version, or set DATA_DIR to another folder.`,
  )
}

/** Writes the format into a new folder, before anything else. */
export async function stateFormat(directory: string): Promise<void> {
  if (formatOf(directory) !== undefined) return
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
