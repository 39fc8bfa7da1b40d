import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../../../shared/backends/disk/whole-file.ts'
import type { Key } from '../../../shared/backends/table/port.ts'
import { findUserByName } from '../../../shared/library/accounts/users.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { Settings } from '../../../shared/settings.ts'
import { toCompanyId, toFolderId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { isLocalAddress } from '../http/this-machine.ts'
import { DEMO_USERNAME, type DemoLibrary, demoAlias, ensureDemoSuggestions, makeDemoAlias, makeDemoCompany } from './demo-company.ts'

/** What a new user needs to try the service, as `<DATA_DIR>/demo.json` holds it. */
export const DemoFile = z.object({
  base_url: z.string(),
  cdn_url: z.string(),
  player_url: z.string(),
  /** Pages of the e-mails that were written, for this machine alone. Absent where the server's address is another one. */
  mail_url: z.string().optional(),
  company_id: z.number().transform(toCompanyId),
  user_id: z.number().transform(toUserId),
  username: z.string(),
  password: z.string(),
  api_key: z.string(),
  api_secret: z.string(),
  /** A folder to upload to. */
  folder_id: z.number().transform(toFolderId),
  /** A folder whose files are published, and the alias that their links begin with. Absent where the operator removed the alias. */
  cdn_folder_id: z.number().transform(toFolderId).optional(),
  cdn_alias: z.string().optional(),
})
export type DemoFile = z.infer<typeof DemoFile>

/**
 * Whether the demo was made. A crash in the middle must neither leave half a demo nor make two. `missingExamples`: it gets example files, and these
 * names are not uploaded yet.
 */
type Progress = Key & { state: 'making' | 'made'; missingExamples?: string[] }
const progressKey: Key = { pk: 'DEMO', sk: 'DEMO' }

export interface DemoOptions extends DemoLibrary {
  log: Log
  /** The data folder. */
  directory: string
  /** Whether there is a service that suggests keywords. */
  hasSuggester: boolean
  /** File names of the examples that a new demo gets. */
  examples: readonly string[]
  /** The server's present addresses. */
  addresses: Pick<Settings, 'cdnUrl' | 'playerUrl'> & { baseUrl: string; mailUrl: string }
}

/** The demo at a start of the server. */
export interface ProvidedDemo {
  demo: DemoFile
  isNew: boolean
  /** File names of the examples that it still lacks: a stop may have come first. */
  missingExamples: readonly string[]
}

export const demoFile = (directory: string): string => join(directory, 'demo.json')

/**
 * Makes the demo company on the first start. Later starts bring the addresses in its file up to date. What the operator removed or
 * took away stays away.
 * @returns undefined when there is no demo
 */
export async function provideDemo(options: DemoOptions): Promise<ProvidedDemo | undefined> {
  const { table, log, directory } = options
  const progress = await table.get<Progress>(progressKey)
  if (progress?.state === 'made') return refresh(options, progress)
  if (!progress && (await findUserByName({ table }, DEMO_USERNAME))) {
    log.warn(`no demo company was made: there is a user ${DEMO_USERNAME} already`)
    return undefined
  }
  await table.put({ ...progressKey, state: 'making' } satisfies Progress)
  const company = await makeDemoCompany(options)
  await makeDemoAlias(options, company.company_id).catch((error: unknown) => {
    if (!(error instanceof Conflict)) throw error
    log.warn(`the demo company got no CDN folder: ${error.message}`)
  })
  const demo = { ...addressFields(options), ...company, ...(await demoAlias(options, company.company_id)) }
  await writeDemo(directory, demo)
  if (options.hasSuggester) await ensureDemoSuggestions(options, company.company_id)
  await table.put({ ...progressKey, state: 'made', missingExamples: [...options.examples] } satisfies Progress)
  return { demo, isNew: true, missingExamples: options.examples }
}

/** Notes that an example is uploaded, or that no more follow. */
export async function noteExamples({ table }: Pick<DemoOptions, 'table'>, missingExamples: readonly string[]): Promise<void> {
  const progress = await table.get<Progress>(progressKey)
  if (progress) await table.put({ ...progress, missingExamples: [...missingExamples] } satisfies Progress)
}

async function refresh(options: DemoOptions, progress: Progress): Promise<ProvidedDemo | undefined> {
  const { directory, log } = options
  const text = read(demoFile(directory))
  if (text === undefined) return undefined
  const known = parse(text)
  if (!known) {
    log.warn('demo.json is damaged; it was left as it is')
    return undefined
  }
  const demo = { ...known, ...addressFields(options), ...(await demoAlias(options, known.company_id)) }
  if (options.hasSuggester) await ensureDemoSuggestions(options, known.company_id)
  if (JSON.stringify(demo) !== JSON.stringify(known)) await writeDemo(directory, demo)
  return { demo, isNew: false, missingExamples: progress.missingExamples ?? [] }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): DemoFile | undefined {
  try {
    return DemoFile.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function writeDemo(directory: string, demo: DemoFile): Promise<void> {
  return writeWhole(demoFile(directory), `${JSON.stringify(demo, null, 2)}\n`)
}

function addressFields({ addresses }: DemoOptions): Pick<DemoFile, 'base_url' | 'cdn_url' | 'player_url' | 'mail_url'> {
  const { baseUrl, cdnUrl, playerUrl, mailUrl } = addresses
  return { base_url: baseUrl, cdn_url: cdnUrl, player_url: playerUrl, mail_url: isLocalAddress(baseUrl) ? mailUrl : undefined }
}
