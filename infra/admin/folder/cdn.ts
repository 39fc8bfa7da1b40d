import { type Command, Option } from 'commander'
import type { Reading } from '../../../shared/library/library.ts'
import { addAlias, listAliases, removeAlias, setPresetsOnly } from '../../../shared/library/links/aliases.ts'
import { findAlias } from '../../../shared/library/tree/system-folders.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import type { CompanyId, FolderId } from '../../../shared/vocabulary/ids.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { alias, companyId, folderId } from '../values.ts'

interface Alias {
  company: CompanyId
  alias: string
}

interface SetAlias extends Pick<Alias, 'alias'> {
  company?: CompanyId
  presetsOnly: 'on' | 'off'
}

/** `cdn alias add`, `remove`, `list`, `cdn set` */
export function cdnCommands(program: Command, console: Console): void {
  const cdn = noun(program, 'cdn', 'files with public addresses')
  const group = noun(cdn, 'alias', 'folders whose files are published; the alias is the first part of their addresses')

  verb(group, 'add', 'give a company an alias: the files in its folder are published', [
    'cdn alias add --company 42 --alias press',
    'cdn alias add --company 42 --alias press --folder 7',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .requiredOption('--alias <alias>', 'small letters, digits and hyphens; nobody else has it', alias)
    .option('--folder <id>', 'a folder of the company; without it one is made', folderId)
    .addHelpText('after', '\nThe folder is permanent from then on. What lies in folders below it is not published.')
    .action(
      act<Alias & { folder?: FolderId }>(console, async (library, { company, alias, folder }) => {
        await needCompany(library, company)
        if (folder !== undefined) await needFolder(library, company, folder)
        await refuseUnfinished(library, company, alias)
        const wanted = folder === undefined ? { name: `CDN ${alias}` } : { folderId: folder }
        const { folderId, name } = await addAlias(library, company, alias, wanted)
        return { json: { alias, folder_id: folderId }, text: `The alias ${alias} stands for folder ${folderId}, ${name}.` }
      }),
    )

  verb(group, 'remove', 'take an alias away: its addresses end, its folder is an ordinary one again, files stay', [
    'cdn alias remove --company 42 --alias press',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .requiredOption('--alias <alias>', 'the alias', alias)
    .action(
      act<Alias>(console, async (library, { company, alias }) => {
        await needCompany(library, company)
        await needAlias(library, company, alias)
        const folderId = await removeAlias(library, company, alias)
        const text = `Removed the alias ${alias}. Folder ${folderId} is an ordinary folder again.`
        return { json: { alias, folder_id: folderId }, text }
      }),
    )

  verb(group, 'list', 'list the aliases of a company', ['cdn alias list --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needCompany(library, company)
        const aliases = (await listAliases(library, company)).map(({ alias, folderId, name, presetsOnly = false }) => ({
          alias,
          folder_id: folderId,
          folder_name: name,
          presets_only: presetsOnly,
        }))
        const rows = aliases.map((each) => [each.alias, each.folder_id, each.presets_only ? 'yes' : 'no', each.folder_name])
        return { json: aliases, text: textTable(['ALIAS', 'FOLDER ID', 'PRESETS ONLY', 'FOLDER'], rows) }
      }),
    )

  verb(cdn, 'set', 'say whether links of an alias show transformed pictures by presets of the company alone', [
    'cdn set --alias press --presets-only on',
  ])
    .option('--company <id>', 'the company whose alias it has to be', companyId)
    .requiredOption('--alias <alias>', 'the alias', alias)
    .addOption(
      new Option('--presets-only <state>', 'on: every other transformation is refused').choices(['on', 'off']).makeOptionMandatory(),
    )
    .addHelpText('after', '\nFiles as they are, and info.json, are served anyway. A repetition tells renderers again.')
    .action(
      act<SetAlias>(console, async (library, { company, alias, presetsOnly }) => {
        if (company !== undefined) {
          await needCompany(library, company)
          await needAlias(library, company, alias)
        }
        const claim = await findAlias(library, alias)
        if (!claim) throw new Error(`There is no alias ${alias}. List those of a company with: cdn alias list --company <id>`)
        const isOn = presetsOnly === 'on'
        const { folderId } = await setPresetsOnly(library, claim.companyId, alias, isOn)
        const text = `Links of the alias ${alias} show transformed pictures ${isOn ? 'by presets alone' : 'without presets, too'}.`
        return { json: { alias, folder_id: folderId, presets_only: isOn }, text }
      }),
    )
}

async function needFolder(library: Reading, company: CompanyId, folder: FolderId): Promise<void> {
  if ((await loadTree(library, company)).get(folder)) return
  throw new Error(`Company ${company} has no folder ${folder}. List its folders with: folder list --company ${company}`)
}

async function needAlias(library: Reading, company: CompanyId, alias: string): Promise<void> {
  if ((await findAlias(library, alias))?.companyId === company) return
  throw new Error(`Company ${company} has no alias ${alias}. List its aliases with: cdn alias list --company ${company}`)
}

async function refuseUnfinished(library: Reading, company: CompanyId, alias: string): Promise<void> {
  const claim = await findAlias(library, alias)
  if (claim?.companyId !== company || claim.removing === undefined) return
  throw new Error(
    `The removal of the alias ${alias} was interrupted. Finish it with: cdn alias remove --company ${company} --alias ${alias}`,
  )
}
