import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type * as z from 'zod'
import { PresetsFile } from '../../../shared/library/transfer/presets.ts'
import { RightsFile } from '../../../shared/library/transfer/rights.ts'
import { EXPORT_FILES } from './export-target.ts'
import { parsed } from './said.ts'
import type { Source } from './source.ts'
import { VersionRows } from './version-rows.ts'

/**
 * Reads what an export has beside its files.
 * @param folder where the source is a folder of the disk
 * @param closing removes copies of its tables
 * @returns undefined of what is no export
 * @throws Error in a sentence where the source can't be read, or an export is damaged or was cut off
 */
export async function readExport(
  source: Source,
  folder: string | undefined,
  closing: AsyncDisposableStack,
): Promise<{ manifest: string; rights: RightsFile; presets: PresetsFile; versions: VersionRows | undefined } | undefined> {
  const entries = await source.list('').catch((error: Error) => {
    throw new Error(`${folder ?? source.name} ${error.message}`, { cause: error })
  })
  const names = new Set(entries.map(({ name }) => name))
  if (names.has(EXPORT_FILES.unfinished))
    throw new Error(`${folder ?? source.name} holds an export that was cut off. Run "export" again: it goes on.`)
  if (![EXPORT_FILES.rights, EXPORT_FILES.manifest, EXPORT_FILES.payload].every((name) => names.has(name))) return undefined
  const presets = names.has(EXPORT_FILES.presets) ? await fileIn(source, EXPORT_FILES.presets, PresetsFile) : { presets: [] }
  const rights = await fileIn(source, EXPORT_FILES.rights, RightsFile)
  const versions = names.has(EXPORT_FILES.versionsTable) ? closing.use(await versionRows(source)) : undefined
  return { rights, presets, versions, manifest: folder ? join(folder, EXPORT_FILES.manifest) : await copied(source, closing) }
}

async function versionRows(source: Source): Promise<VersionRows> {
  try {
    return await VersionRows.read(await source.open(EXPORT_FILES.versionsTable))
  } catch (error) {
    throw new Error(`${EXPORT_FILES.versionsTable} of ${source.name} is damaged: ${(error as Error).message}.`, { cause: error })
  }
}

async function fileIn<Read>(source: Source, name: string, schema: z.ZodType<Read>): Promise<Read> {
  try {
    return parsed(schema, JSON.parse(await text(await source.open(name))))
  } catch (error) {
    throw new Error(`${name} of ${source.name} is damaged: ${(error as Error).message}`)
  }
}

/** A copy of the manifest on the disk. */
async function copied(source: Source, closing: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'media-library-export-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, EXPORT_FILES.manifest)
  await pipeline(await source.open(EXPORT_FILES.manifest), createWriteStream(file))
  return file
}
