import { type Command, InvalidArgumentError, Option } from 'commander'
import { PRESET_NAME } from '../../../../shared/vocabulary/link-query.ts'
import type { MediaLibrary, Schemas } from '../../client/client.ts'
import { untilDone } from '../../client/until-done.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { mediaIdsOf } from '../folders.ts'

interface Options {
  alias?: string
  preset?: string
  remove?: boolean
}

type Alias = Schemas['CdnAlias'] & { company: number }

export function linkCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('link')
    .description('publish files under public addresses, and tell these')
    .argument('<ID...>', 'ids of files')
    .option('--alias <alias>', 'of the addresses, where there are several')
    .addOption(new Option('--preset <name>', 'of the company: the addresses show pictures by it').argParser(presetName).conflicts('remove'))
    .option('--remove', 'end the links')
    .action(signedIn<Options>(surroundings, link))
}

/** Parses the name of a preset. Whether it is there only admins may know. */
function presetName(text: string): string {
  if (!PRESET_NAME.test(text)) throw new InvalidArgumentError('It must be 1 to 40 small letters, digits and hyphens.')
  return text
}

async function link(session: Session, args: readonly string[], { alias, preset, remove }: Options): Promise<void> {
  const { library, output } = session
  const chosen = await aliasOf(library, alias)
  const ids = mediaIdsOf(args)
  for (const id of ids) {
    const params = { path: { id, folderId: chosen.folder_id } }
    if (remove) {
      await library.delete('/media/{id}/folder/{folderId}', { params })
      output.line({ id, removed: true }, `${id}  removed`)
    } else {
      await library.post('/media/{id}/folder/{folderId}', { params })
      const published = await publishedUrl(session, chosen, id)
      const url = preset === undefined ? published : `${published}?preset=${preset}`
      output.line({ id, url }, url)
    }
  }
  output.summary(remove ? { removed: ids.length } : { published: ids.length })
}

function publishedUrl({ library, surroundings }: Session, { company, folder_id: folder }: Alias, media: number): Promise<string> {
  return untilDone(async () => {
    const { state, url } = await library.get('/cdn/{company}/folder/{folder}/link/{media}', {
      params: { path: { company, folder, media } },
    })
    return state === 'queued' ? undefined : (url ?? undefined)
  }, surroundings.signal)
}

/** @throws Failure where it is not clear which one is meant */
async function aliasOf(library: MediaLibrary, wanted: string | undefined): Promise<Alias> {
  const { companies } = await library.get('/whoami')
  const lists = await Promise.all(
    companies.map(async (company) => {
      const { aliases } = await library.get('/cdn/{company}/company/aliases', { params: { path: { company } } })
      return aliases.map((alias) => ({ ...alias, company }))
    }),
  )
  const fitting = lists.flat().filter(({ alias }) => wanted === undefined || alias === wanted)
  const [only] = fitting
  if (fitting.length > 1) throw new Failure(exitCodes.usage, `Say --alias: ${fitting.map(({ alias }) => alias).join(', ')}.`)
  if (!only)
    throw new Failure(exitCodes.folderNotFound, wanted === undefined ? 'There is no folder of links.' : `There is no alias ${wanted}.`)
  return only
}
