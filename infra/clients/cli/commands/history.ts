import type { Command } from 'commander'
import { type MediaLibrary, MediaLibraryError, type Schemas } from '../../client/client.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { mediaIdOf } from '../folders.ts'
import { positive } from '../values.ts'

type Entry = Schemas['HistoryPage']['entries'][number]

export function historyCommand(program: Command, surroundings: Surroundings): void {
  const history = program
    .command('history')
    .description('tell what was changed of a file, newest first, and take a change back')
    .argument('<ID>', 'id of the file')
    .action(signedIn(surroundings, list))
  history
    .command('revert')
    .description('put back what one change has changed')
    .argument('<ID>', 'id of the file')
    .argument('<VERSION>', 'that the change made', positive)
    .option('--force', 'also what was changed again since')
    .action(signedIn<{ force?: boolean }>(surroundings, revert))
}

async function list({ library, output }: Session, args: readonly string[]): Promise<void> {
  let count = 0
  for await (const entry of entriesOf(library, mediaIdOf(args[0]!))) {
    count++
    output.line(entry, textOf(entry))
  }
  output.summary({ changes: count })
}

/** Newest first. */
async function* entriesOf(library: MediaLibrary, id: number): AsyncGenerator<Entry> {
  for (let cursor: number | undefined; ; ) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
    const page = await library.get('/media/{id}/history', { params: { path: { id }, query } })
    yield* page.entries
    if (!page.more || page.cursor === null) return
    cursor = Number(page.cursor)
  }
}

function textOf({ version, at, actor, changed, before, after }: Entry): string {
  const by = Object.entries(actor).map(([name, value]) => `${name.replace('_id', '')} ${value}`)
  const values = (of: Entry['before']) => (Object.keys(of).length === 0 ? '' : JSON.stringify(of))
  return [String(version).padStart(4), at, by.join(' '), changed.join(', '), values(before), '->', values(after)].filter(Boolean).join('  ')
}

async function revert({ library, output }: Session, args: readonly string[], { force }: { force?: boolean }): Promise<void> {
  const path = { id: mediaIdOf(args[0]!), version: Number(args[1]) }
  try {
    const { version } = await library.post('/media/{id}/history/{version}/revert', { params: { path }, body: force ? { force } : {} })
    output.line({ id: path.id, version }, `file ${path.id} has version ${version}`)
  } catch (error) {
    if (!(error instanceof MediaLibraryError && error.code === 'changed_since')) throw error
    const { changed } = error.details as { changed: string[] }
    throw new Failure(exitCodes.error, `Changed again since: ${changed.join(', ')}. With --force they are put back all the same.`)
  }
}
