import type { Command } from 'commander'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { productVersion } from '../../homes/product-version.ts'
import type { Console } from '../../homes/terminal.ts'
import { actOnFolder, verb } from '../command.ts'

/** `backup`, `restore` */
export function backupCommands(program: Command, console: Console): void {
  verb(program, 'backup', 'back the local data up, also while the server runs', [
    'backup /mnt/backups',
    'backup /mnt/backups --verify --json',
  ])
    .argument('<target>', 'folder that holds backups, any number of them; made where it is missing')
    .option('--verify', 'also read every file of the backup, and check the library in it')
    .option('--yes', 'back up without a question, also where the disk of the folder seems not to be mounted')
    .addHelpText('after', BACKUP_HELP)
    .action(
      actOnFolder<{ verify?: boolean; yes?: boolean }>(console, async (directory, { verify = false, yes = false }, [target = '']) => {
        const { makeBackup } = await import('../../local/backup/make-backup.ts')
        if (!yes) await requireDisk(console, directory, target)
        const began = performance.now()
        const options = { dataDirectory: directory, target, productVersion, clock: systemClock, verify }
        const made = await makeBackup(options).catch((error) => {
          // When the target is full the system's error may name the data folder.
          throw 'code' in error ? new Error(`There is no new backup in ${target}: ${error.message}. Those before are as they were.`) : error
        })
        const { files, bytes, folder, newFiles, problems } = made
        const seconds = Math.round(performance.now() - began) / 1000
        return {
          json: { files, bytes, seconds },
          text: `${folder}: ${files} files, ${bytes} bytes; ${newFiles} of the files are new. It took ${seconds} seconds.`,
          ...(problems.length > 0 && { failed: true, warning: [...problems, 'The backup holds the library as it is.'].join('\n') }),
        }
      }),
    )

  verb(program, 'restore', 'bring a library back from its newest good backup', [
    'restore /mnt/backups',
    'restore /mnt/backups --check-only',
  ])
    .argument('<source>', 'folder that holds backups')
    .option('--check-only', 'read and check the backup, and restore nothing')
    .addHelpText('after', RESTORE_HELP)
    .action(
      actOnFolder<{ checkOnly?: boolean }>(
        console,
        async (directory, { checkOnly = false }, [source = '']) => {
          const { restoreBackup } = await import('../../local/backup/restore-backup.ts')
          const { folder, problems } = await restoreBackup({ source, dataDirectory: directory, checkOnly, warn: console.error })
          const clean = problems.length === 0
          const lines = problems.map(({ problem, message }) => `${problem}: ${message}`)
          const good = checkOnly ? `${folder} is good.` : `${directory} holds the library of ${folder}.`
          const done = folder === undefined ? `No backup in ${source} is good. Nothing was restored.` : good
          return { json: { clean, problems }, text: [...lines, done].join('\n'), failed: !clean }
        },
        { needsLibrary: false },
      ),
    )
}

/** Asks before a backup to a folder whose disk seems not to be mounted. @throws Error unless the operator wants it */
async function requireDisk(console: Console, directory: string, target: string): Promise<void> {
  const { lackOfDisk } = await import('../../local/backup/known-targets.ts')
  const reason = lackOfDisk(directory, target)
  if (reason === undefined) return
  const answer = await console.ask(`${reason} Its disk may not be mounted. Back up into the folder that is there? [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was backed up. Mount the disk, or back up without a question: --yes')
}

const BACKUP_HELP = `
TARGET may not be in the data folder, and is best on another disk. Files that a backup there holds already are not copied again. On the disk
of the data folder they are linked: that takes no room, and helps against mistakes, not against the loss of the disk. A backup that fails or is
killed leaves those before as they are. Where TARGET had backups of this library and has none now, or lies on a disk of /etc/fstab that isn't
mounted, the command asks; without somebody to answer it ends with 1 and nothing is backed up.

With --json it prints {"files", "bytes", "seconds"}. Exit code: 1 when there is no backup, or when it holds a library that is damaged: standard
error says which.`

const RESTORE_HELP = `
The library goes into DATA_DIR, which must be empty or not there. Every byte is compared with what the backup says: a damaged backup is not taken,
and the one before it is. Where none is good the folder stays empty. A backup of a version with another schema is
refused. --check-only tells each file that is missing, cut off or damaged, of the newest backup, and of those before it until one is good.

With --json it prints {"clean": true or false, "problems": [...]} of the library, as "check" does. Exit code: 1 when nothing was restored, or the
library has problems.`
