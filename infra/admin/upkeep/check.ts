import type { Command } from 'commander'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, verb } from '../command.ts'

/** `check` */
export function checkCommand(program: Command, console: Console): void {
  verb(program, 'check', 'walk table and objects: find orphans, dangling pointers, wrong counts, jobs that got stuck', [
    'check',
    'check --json --stack media-library',
    'check --deep',
  ])
    .option('--deep', 'also read every original and compare its MD5')
    .addHelpText('after', HELP)
    .action(
      act<{ deep?: boolean }>(console, async ({ table, scanner, openMedia, openPublicFiles, clock }, { deep = false }) => {
        const problems = await checkLibrary(
          { table, scanner, media: await openMedia(), publicFiles: await openPublicFiles(), clock },
          { deep },
        )
        const clean = problems.length === 0
        const lines = problems.map(({ problem, message }) => `${problem}: ${message}`)
        const text = clean ? 'The library is clean.' : [...lines, `Problems: ${problems.length}.`].join('\n')
        return { json: { clean, problems }, text, failed: !clean }
      }),
    )
}

const HELP = `
It changes nothing, and the library may be in use: what seems wrong is looked at again, for 15 seconds, before it is
reported. With --json it prints {"clean": true or false, "problems": [{"problem", "message", ids}]}.

With --deep it takes as long as reading all originals does; those of a stack are sent to this machine, which AWS charges for.

Exit code: 0 when the library is clean, 1 when it isn't (or could not be checked: then nothing is on standard output).`
