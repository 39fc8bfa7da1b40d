import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isDiskFull } from '../disk/full-disk.ts'
import { embeddedLayout } from '../disk/layout.ts'
import type { DeadLetterCount } from '../queue/dead-letters.ts'
import type { EmbeddedQueues } from '../queue/embedded.ts'
import { queues as allQueues, type QueueName } from '../queue/queues.ts'
import type { DeadChanges } from '../table/embedded-dead-letters.ts'
import type { TableReader } from '../table/port.ts'
import type { Health, HealthProblem } from './port.ts'
import { type FailedJobs, tableHealth } from './table.ts'

export interface EmbeddedHealthOptions {
  directory: string
  table: Pick<TableReader, 'get' | 'query'>
  queues: EmbeddedQueues
  deadChanges: DeadChanges
  /** Jobs that failed, by kind. */
  failedJobs: FailedJobs
  /** What others than the backend know of. */
  moreProblems?: (() => HealthProblem[]) | undefined
}

/** Whether one machine can do its work: its data folder, its disk, its table, and its dead letters. */
export function embeddedHealth({ directory, table, queues, deadChanges, failedJobs, moreProblems }: EmbeddedHealthOptions): Health {
  /** An open file can be read after its folder is deleted: without this check a server without a data folder would seem well. */
  async function folderProblems(): Promise<HealthProblem[]> {
    try {
      await access(embeddedLayout(directory).table, constants.R_OK | constants.W_OK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [stop('data_folder_gone', 'The data folder is gone.')]
      return [stop('data_folder_read_only', 'The data folder cannot be written.')]
    }
    return isDiskFull(directory) ? [stop('disk_full', 'The disk of the data folder is full.')] : []
  }

  function deadLetterProblems(): HealthProblem[] {
    const kinds: [string, DeadLetterCount][] = (Object.keys(allQueues) as QueueName[]).map((name) => [name, queues.deadLetterCount(name)])
    return [...kinds, ['changes', deadChanges.count()] as const]
      .filter(([, { count }]) => count > 0)
      .map(([kind, letters]) => deadLetterProblem(kind, letters))
  }

  return {
    async problems() {
      try {
        const folder = await folderProblems()
        return [...folder, ...(await tableHealth(table, failedJobs).problems()), ...deadLetterProblems(), ...(moreProblems?.() ?? [])]
      } catch {
        return [stop('data_folder_unusable', 'The data folder cannot be used.')]
      }
    },
  }
}

function stop(code: string, message: string): HealthProblem {
  return { code, message, stops: true }
}

function deadLetterProblem(kind: string, { count, nextRetry }: DeadLetterCount): HealthProblem {
  const time = new Date(nextRetry ?? 0).toISOString()
  return { code: `${kind}_resting`, message: `Failed ${kind} that rest: ${count}. The first is tried again at ${time}.`, stops: false }
}
