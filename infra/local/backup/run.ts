import '../../umask.ts'
import { constants } from 'node:os'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { lowerPriority } from '../../../shared/tools/processes/priority.ts'
import { productVersion } from '../../homes/product-version.ts'
import { makeBackup } from './make-backup.ts'
import { toKeep } from './retention.ts'

/**
 * The process in which the server makes a backup: `run.ts <data folder> <target> <UNIX milliseconds>`. Requests come before it. The exit code is 1 where there is
 * something for the operator, and standard error says what.
 */
lowerPriority(constants.priority.PRIORITY_LOW)
const [dataDirectory = '', target = '', now = ''] = process.argv.slice(2)
try {
  const options = {
    dataDirectory,
    target,
    productVersion,
    clock: { ...systemClock, now: () => Number(now) },
    verify: false,
    keep: toKeep,
  }
  const { problems } = await makeBackup(options)
  process.stderr.write(problems.join('\n'))
  process.exitCode = problems.length > 0 ? 1 : 0
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
