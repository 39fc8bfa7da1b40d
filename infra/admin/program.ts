import { type Command, CommanderError } from 'commander'
import { productVersion } from '../homes/product-version.ts'
import type { Console } from '../homes/terminal.ts'
import { AdminCommand, Failed } from './command.ts'
import { companyCommands } from './company/company.ts'
import { streamingCommands } from './company/company-right.ts'
import { keyCommands } from './company/key.ts'
import { keywordCommands } from './company/keywords.ts'
import { ssoCommands } from './company/sso.ts'
import { webhookCommands } from './company/webhook.ts'
import { cdnCommands } from './folder/cdn.ts'
import { folderCommands } from './folder/folder.ts'
import { shareCommands } from './folder/share.ts'
import { downloadCommands } from './jobs/downloads.ts'
import { eventCommands } from './jobs/events.ts'
import { failedRunCommands } from './jobs/failed-runs.ts'
import { jobCommands } from './jobs/jobs.ts'
import { adminCommands } from './people/admin.ts'
import { userCommands } from './people/user.ts'
import { stockCommands } from './stock/stock.ts'
import { convertCommand } from './transfer/convert.ts'
import { exportCommand } from './transfer/export.ts'
import { importCommand } from './transfer/import.ts'
import { backupCommands } from './upkeep/backup.ts'
import { checkCommand } from './upkeep/check.ts'
import { mailCommands } from './upkeep/mail.ts'
import { searchCommands } from './upkeep/search.ts'

/** Exit codes. */
const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 failed (standard error says what to do, or the answer what is wrong), 2 wrong usage
 */
export async function runAdmin(args: readonly string[], console: Console): Promise<number> {
  const program = adminProgram(console)
  try {
    await program.parseAsync(args, { from: 'user' })
    return DONE
  } catch (error) {
    // Commander has printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE
    if (!(error instanceof Failed)) console.error(messageOf(error))
    return FAILED
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isForStacks = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('@aws-sdk/')
  return isForStacks ? 'This needs packages that npm ci --omit=dev leaves out. Run npm ci, then this again.' : error.message
}

function adminProgram(console: Console): Command {
  const program = new AdminCommand('admin')
    .description("The operator's command line of the media library: companies, users, keys, rights and public addresses.")
    .option('--json', 'print one JSON value and nothing else')
    .option('--stack <name>', 'work on a deployed stack (needs AWS credentials) instead of the local data')
    .option('--profile <name>', 'the profile of the AWS CLI whose credentials --stack takes')
    .addHelpText('after', HELP)
    .version(productVersion, '--version', 'print the version')
    .exitOverride()
    .showHelpAfterError()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => console.out(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    })
  for (const add of [
    companyCommands,
    shareCommands,
    userCommands,
    adminCommands,
    keyCommands,
    ssoCommands,
    folderCommands,
    cdnCommands,
    streamingCommands,
    keywordCommands,
    stockCommands,
    downloadCommands,
    eventCommands,
    mailCommands,
    jobCommands,
    failedRunCommands,
    webhookCommands,
    searchCommands,
    checkCommand,
    backupCommands,
    importCommand,
    convertCommand,
    exportCommand,
  ])
    add(program, console)
  return program
}

const HELP = `
The local data is in DATA_DIR (./data), which the first start of the server makes (npm start), or the first "company create".
Commands take effect at once, also while the server runs.

Examples:
  npm run --silent admin -- company list
  npm run --silent admin -- user create --help`
