import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { MediaLibrary } from '../../client/client.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { downloadFile } from '../download-file.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { mediaIdOf } from '../folders.ts'
import { Names } from '../library-tree.ts'
import { sizeText } from '../output.ts'
import { startProgress } from '../progress.ts'
import type { Version } from '../settled-versions.ts'
import { positive } from '../values.ts'

const ID = ['<ID>', 'id of the file'] as const
const NUMBER = ['<NUMBER>', 'of the version', positive] as const

export function versionsCommand(program: Command, surroundings: Surroundings): void {
  const versions = program
    .command('versions')
    .description('tell the versions of a file, newest first, and go back to one')
    .argument(...ID)
    .action(signedIn(surroundings, list))
  versions
    .command('restore')
    .description('make a version the current one again, under a new number')
    .argument(...ID)
    .argument(...NUMBER)
    .option('--comment <text>', 'what is said of it')
    .action(signedIn<{ comment?: string }>(surroundings, restore))
  versions
    .command('download')
    .description('download a version, byte for byte')
    .argument(...ID)
    .argument(...NUMBER)
    .argument('[DIR]', 'folder of the disk', '.')
    .action(signedIn(surroundings, download))
  for (const [name, pinned, description] of [
    ['pin', true, 'keep a version for ever'],
    ['unpin', false, 'keep a version no longer than others'],
  ] as const)
    versions
      .command(name)
      .description(description)
      .argument(...ID)
      .argument(...NUMBER)
      .action(signedIn(surroundings, (session, args) => pin(session, args, pinned)))
}

async function list({ library, output }: Session, args: readonly string[]): Promise<void> {
  let count = 0
  for await (const version of versionsOf(library, mediaIdOf(args[0]!))) {
    count++
    output.line(version, textOf(version))
  }
  output.summary({ versions: count })
}

/** Newest first. */
async function* versionsOf(library: MediaLibrary, id: number): AsyncGenerator<Version> {
  for (let cursor: string | undefined; ; ) {
    const page = await library.get('/media/{id}/files', { params: { path: { id }, query: { limit: 100, ...(cursor && { cursor }) } } })
    yield* page.files
    if (!page.more || !page.cursor) return
    cursor = page.cursor
  }
}

function textOf({ number, current, state, filename, file_disksize: bytes, created, uploaded_by: by, pinned, comment }: Version): string {
  const what = current ? 'current' : state === 'available' ? '' : state
  const size = bytes === null ? '' : sizeText(bytes)
  const columns = [
    String(number ?? '-').padStart(4),
    what.padEnd(9),
    created,
    size.padStart(8),
    `by ${by}`,
    filename,
    pinned ? 'pinned' : '',
    comment,
  ]
  return columns.filter((column) => column !== '' && column != null).join('  ')
}

async function restore({ library, output }: Session, args: readonly string[], { comment }: { comment?: string }): Promise<void> {
  const path = pathOf(args)
  const answer = await library.post('/media/{id}/files/{number}/restore', {
    params: { path },
    body: comment === undefined ? {} : { comment },
  })
  const isUnchanged = 'unchanged' in answer
  output.line(
    { id: path.id, ...answer },
    isUnchanged
      ? `file ${path.id} has the bytes of version ${path.number}`
      : `file ${path.id} has version ${path.number} again, as number ${answer.file_number}`,
  )
}

/** @throws Failure where there is none */
async function versionOf(library: MediaLibrary, id: number, number: number): Promise<Version> {
  for await (const version of versionsOf(library, id)) if (version.number === number) return version
  throw new Failure(exitCodes.fileNotFound, `File ${id} has no version ${number}.`)
}

async function download(session: Session, args: readonly string[]): Promise<void> {
  const { transfers, output, surroundings } = session
  const { id, number } = pathOf(args)
  const found = await versionOf(transfers, id, number)
  const folder = resolve(args[2] ?? '.')
  await mkdir(folder, { recursive: true })
  const { filename, file_md5: md5, file_mimetype: type } = found
  const path = join(folder, new Names().free(filename))
  const progress = startProgress(surroundings, 'Downloading')
  const fetching = { signal: surroundings.signal, onBytes: (bytes: number) => progress.add(bytes) }
  const wanted = { id, path, md5: md5 ?? '', type: type ?? '', version: number, what: `file${number}` as const }
  await downloadFile(transfers, wanted, fetching).finally(() => progress.end())
  output.line({ id, number, path }, path)
}

async function pin({ library, output }: Session, args: readonly string[], pinned: boolean): Promise<void> {
  const version = await library.post('/media/{id}/files/{number}', { params: { path: pathOf(args) }, body: { pinned } })
  output.line(version, textOf(version))
}

const pathOf = (args: readonly string[]): { id: number; number: number } => ({ id: mediaIdOf(args[0]!), number: Number(args[1]) })
