import { Command, CommanderError } from 'commander'
import type { Surroundings } from './command.ts'
import { completionCommand } from './commands/completion.ts'
import { cpCommand } from './commands/cp.ts'
import { downloadCommand } from './commands/download.ts'
import { editCommand } from './commands/edit.ts'
import { eventsCommand } from './commands/events.ts'
import { historyCommand } from './commands/history.ts'
import { linkCommand } from './commands/link.ts'
import { loginCommand } from './commands/login.ts'
import { logoutCommand } from './commands/logout.ts'
import { lsCommand } from './commands/ls.ts'
import { mvCommand } from './commands/mv.ts'
import { rmCommand } from './commands/rm.ts'
import { searchCommand } from './commands/search.ts'
import { shareCommand } from './commands/share.ts'
import { statCommand } from './commands/stat.ts'
import { streamCommand } from './commands/stream.ts'
import { syncCommand } from './commands/sync.ts'
import { treeCommand } from './commands/tree.ts'
import { uploadCommand } from './commands/upload.ts'
import { versionsCommand } from './commands/versions.ts'
import { whoamiCommand } from './commands/whoami.ts'
import { zipCommand } from './commands/zip.ts'
import { type ExitCode, exitCodeOf, exitCodes, wordsOf } from './exit-code.ts'
import { Reported } from './reported.ts'

/** Runs one command line. @param version of the package */
export async function runProgram(args: readonly string[], surroundings: Surroundings, version: string): Promise<ExitCode> {
  try {
    await programOf(surroundings, version).parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // Commander has printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (error instanceof Reported) return error.exitCode
    if (surroundings.signal.aborted) return exitCodes.interrupted
    surroundings.error(`error: ${wordsOf(error)}`)
    return exitCodeOf(error)
  }
}

const HELP = `
FOLDER is an id or a path, such as Press/2026. Exit codes: 0 done, 1 error, 2 wrong usage, 3 folder and 4 file not found, 5 some files failed,
7 no right or signed out, 8 quota or limit, 130 interrupted (the same command goes on).
MEDIA_LIBRARY_URL and MEDIA_LIBRARY_TOKEN win over what login saved.`

export function programOf(surroundings: Surroundings, version: string): Command {
  const program = new Command('media-library')
    .description('The media library on the command line.')
    .option('--json', 'print lines of JSON and nothing else')
    .option('--profile <name>', 'the sign-in to work with', 'default')
    .addHelpText('after', HELP)
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => surroundings.out(text.trimEnd()),
      writeErr: (text) => surroundings.error(text.trimEnd()),
    })
  for (const add of [
    loginCommand,
    logoutCommand,
    whoamiCommand,
    uploadCommand,
    downloadCommand,
    syncCommand,
    lsCommand,
    treeCommand,
    searchCommand,
    statCommand,
    editCommand,
    mvCommand,
    cpCommand,
    rmCommand,
    versionsCommand,
    historyCommand,
    shareCommand,
    linkCommand,
    zipCommand,
    streamCommand,
    eventsCommand,
    completionCommand,
  ])
    add(program, surroundings)
  return program
}
