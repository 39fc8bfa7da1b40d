import type { Command } from 'commander'
import type { Schemas } from '../../client/client.ts'
import { type Session, type Surroundings, signedIn, unlessMissing } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { findFolder, idOf } from '../folders.ts'

export function statCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('stat')
    .description('tell all that is known of files and folders')
    .argument('<ID...>', 'ids of files, ids or paths of folders')
    .action(
      signedIn(surroundings, async (session, given) => {
        for (const text of given) await tell(session, text)
      }),
    )
}

async function tell({ library, output }: Session, text: string): Promise<void> {
  const id = idOf(text)
  const media = id && (await unlessMissing(library.get('/media/{id}', { params: { path: { id } } })))
  if (media) {
    const folders = await library.get('/media/{id}/folders', { params: { path: { id } } })
    const folderIds = folders.map(({ group_id }) => group_id)
    return output.line({ ...media, id, type: 'file', folder_ids: folderIds }, `${textOf(id, media)}  folders ${folderIds.join(', ')}`)
  }
  try {
    const folder = await findFolder(library, text)
    const { path } = await library.get('/folder/{id}/path', { params: { path: { id: folder.id } } })
    const names = path.map(({ name }) => name).join('/')
    return output.line({ type: 'folder', ...folder, path: names }, `${folder.id}  ${names}/`)
  } catch (error) {
    if (id && error instanceof Failure && error.exitCode === exitCodes.folderNotFound)
      throw new Failure(exitCodes.fileNotFound, `There is no file or folder ${text}.`)
    throw error
  }
}

function textOf(id: number, media: Schemas['Media'] | Schemas['ImportProgress']): string {
  if (media.status !== 'available') return `${id}  ${media.status}, ${media.progress} %`
  const { filename, file_mimetype, file_disksize, file_md5 } = media
  return `${id}  ${filename}  ${file_mimetype}  ${file_disksize} bytes  MD5 ${file_md5}`
}
