import type { Command } from 'commander'
import type { Schemas } from '../../client/client.ts'
import { type Session, type Surroundings, signedIn } from '../command.ts'
import { findFolder } from '../folders.ts'

interface Options {
  follow?: boolean
  cursor?: string
  type?: Schemas['Event']['type'][]
  in?: string
}

export function eventsCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('events')
    .description('tell what has happened in the company, oldest first')
    .option('-f, --follow', 'wait for what happens next, until it is interrupted')
    .option('--cursor <cursor>', 'go on where an earlier run ended; now: only what happens from now on')
    .option('--type <type...>', 'such as media.created')
    .option('--in <FOLDER>', 'only what happens to this folder, or to files in it')
    .action(signedIn<Options>(surroundings, events))
}

async function events(session: Session, _args: readonly string[], { follow = false, cursor, type, in: within }: Options): Promise<void> {
  const { transfers, library, output, surroundings } = session
  const folder = within === undefined ? undefined : (await findFolder(library, within)).id
  let [last, count] = [cursor, 0]
  const followed = transfers.events(cursor, {
    follow,
    ...(type && { types: type }),
    ...(folder !== undefined && { folder_ids: [folder] }),
    signal: surroundings.signal,
    onCursor: (next) => {
      last = next
    },
  })
  try {
    for await (const event of followed) {
      count++
      output.line(event, textOf(event))
    }
  } finally {
    output.line({ events: count, cursor: last ?? null }, `events ${count}${last === undefined ? '' : `, cursor ${last}`}`)
  }
}

function textOf({ created, type, actor, data }: Schemas['Event']): string {
  const about = Object.entries({ ...actor, ...data }).map(([name, value]) => `${name.replace('_', ' ')} ${[value].flat().join(', ')}`)
  return `${created}  ${type.padEnd(16)}  ${about.join('  ')}`
}
