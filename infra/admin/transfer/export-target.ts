import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of the files of an export. */
export const EXPORT_FILES = {
  payload: 'data',
  manifest: 'manifest.csv',
  rights: 'rights.json',
  links: 'links.csv',
  presets: 'presets.json',
  versions: 'versions',
  versionsTable: 'versions.csv',
  unfinished: 'export.unfinished',
} as const

/** Which export a folder gets: those of other companies and folders are others. */
export interface ExportOf {
  company: number
  /** Absent where it is the whole library. */
  folder?: number | undefined
}

/**
 * Makes a folder ready for an export: an empty one, or one with a part of the same export, whose files stay.
 * @param payload folders of it that stay
 * @throws Error in a sentence
 */
export async function prepareTarget(target: string, of: ExportOf, payload: readonly string[]): Promise<void> {
  await mkdir(target, { recursive: true })
  const names = await readdir(target)
  const marker = join(target, EXPORT_FILES.unfinished)
  const mark = `${JSON.stringify(of)}\n`
  if (names.length > 0 && !names.includes(EXPORT_FILES.unfinished))
    throw new Error(`${target} is not empty. Export into an empty folder, a new one, or one with a part of the same export.`)
  // A full disk may have left an empty one.
  const found = names.length > 0 ? await readFile(marker, 'utf8') : ''
  if (found !== '' && found !== mark)
    throw new Error(`${target} holds a part of another export. Export into an empty folder, or a new one.`)
  const kept: string[] = [EXPORT_FILES.unfinished, ...payload]
  await writeFile(marker, mark)
  for (const name of names) if (!kept.includes(name)) await rm(join(target, name), { recursive: true })
}

/** Says that an export is whole. */
export const finishTarget = (target: string): Promise<void> => rm(join(target, EXPORT_FILES.unfinished))

/** Removes from a folder what an earlier part of an export left there and this one doesn't have. @param names what it has there */
export async function removeOthers(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) if (!names.has(name)) await rm(join(folder, name), { recursive: true })
}
