import { type Command, Option } from 'commander'
import type { MediaLibrary, Schemas } from '../../client/client.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findNamed } from '../named.ts'

interface Options {
  expires?: string
  password?: boolean
  download?: 'none' | 'preview' | 'original'
  upload?: boolean
  title?: string
  message?: string
  list?: boolean
  remove?: boolean
}

export function shareCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('share')
    .description('make a link for people without an account, and tell its address, which is told once')
    .argument('[WHAT...]', 'id or path of a folder, or ids of files; with --remove ids of links')
    .option('--expires <date>', 'such as 2027-12-31, which is its last day, or 2027-12-31T12:00:00Z')
    .option('--password <->', 'read what people must know besides from standard input', fromInput)
    .addOption(new Option('--download <what>', 'what they may take').choices(['none', 'preview', 'original']).default('none'))
    .option('--upload', 'they may send files into the folder')
    .option('--title <text>', 'shown on the page')
    .option('--message <text>', 'shown on the page')
    .option('--list', 'tell the links that there are')
    .option('--remove', 'end links')
    .action(signedIn<Options>(surroundings, share))
}

/** What stands on a command line is seen by all users of a machine. */
function fromInput(text: string): true {
  if (text !== '-') throw new Failure(exitCodes.usage, 'A password is read from standard input: say --password -')
  return true
}

async function share(session: Session, args: readonly string[], options: Options): Promise<void> {
  if (options.list) return list(session)
  if (args.length === 0) throw new Failure(exitCodes.usage, 'Say what to share: a folder, or ids of files.')
  if (options.remove) return remove(session, args)
  const { library, output, surroundings } = session
  const { expires, download, upload = false, title, message } = options
  const password = options.password ? (await surroundings.readInput()).replace(/\r?\n$/, '') : undefined
  if (password === '') throw new Failure(exitCodes.usage, 'The password is empty.')
  const made = await library.post('/share', {
    body: {
      ...(await sharedOf(library, args)),
      ...(expires !== undefined && { expires: timeOf(expires) }),
      ...(password !== undefined && { password }),
      allow: { ...(download && { download }), upload },
      ...(title !== undefined && { title }),
      ...(message !== undefined && { message }),
    },
  })
  // The answer to a request that was repeated does not have it.
  const url = made.url ?? (await library.post('/share/{shareId}/secret', { params: { path: { shareId: made.id } } })).url ?? ''
  output.line({ ...made, url }, url)
}

async function sharedOf(library: MediaLibrary, args: readonly string[]): Promise<{ folder_id: number } | { media_ids: number[] }> {
  const { files, folders } = await findNamed(
    library,
    args.flatMap((text) => (/^[\d,]+$/.test(text) ? text.split(',') : text)),
    0,
  )
  const ids = [...files.values()].flat()
  const [folder] = folders
  if (folders.length > 1 || (folder && ids.length > 0)) throw new Failure(exitCodes.usage, 'A link has one folder, or files.')
  return folder ? { folder_id: folder.id } : { media_ids: ids }
}

/** A day counts to its end, where the caller is. */
function timeOf(text: string): string {
  const time = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59` : text)
  if (Number.isNaN(time.getTime())) throw new Failure(exitCodes.usage, `${text} is no date such as 2027-12-31.`)
  return time.toISOString()
}

async function list({ library, output }: Session): Promise<void> {
  const { shares } = await library.get('/share')
  for (const each of shares) output.line(each, textOf(each))
  output.summary({ shares: shares.length })
}

function textOf({ id, folder_id, media_ids, title, expires, visits }: Schemas['ShareLink']): string {
  const what = folder_id === null ? `files ${media_ids?.join(', ')}` : `folder ${folder_id}`
  return [id, what, title, expires && `until ${expires}`, `visits ${visits}`].filter(Boolean).join('  ')
}

async function remove({ library, output }: Session, ids: readonly string[]): Promise<void> {
  for (const shareId of ids) await library.delete('/share/{shareId}', { params: { path: { shareId } } })
  output.summary({ removed: ids.length })
}
