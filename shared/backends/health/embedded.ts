import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isDiskFull } from '../disk/full-disk.ts'
import { embeddedLayout } from '../disk/layout.ts'
import type { TableReader } from '../table/port.ts'
import type { Health, HealthProblem } from './port.ts'
import { type FailedJobs, type FailingWebhooks, tableHealth } from './table.ts'

export interface EmbeddedHealthOptions {
  directory: string
  table: Pick<TableReader, 'get' | 'query'>
  /** Counts failed jobs by kind. */
  failedJobs: FailedJobs
  /** Counts webhooks that have failed for long. */
  failingWebhooks: FailingWebhooks
  /** Problems that the backend doesn't know. */
  moreProblems?: (() => HealthProblem[]) | undefined
}

/** Checks the data folder, disk and table of a server on one machine. */
export function embeddedHealth({ directory, table, failedJobs, failingWebhooks, moreProblems }: EmbeddedHealthOptions): Health {
  /** An open file stays readable after its folder is deleted, so without this check a server without a data folder would seem healthy. */
  async function folderProblems(): Promise<HealthProblem[]> {
    try {
      await access(embeddedLayout(directory).table, constants.R_OK | constants.W_OK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [stop('data_folder_gone', 'The data folder is gone.')]
      return [stop('data_folder_read_only', 'The data folder cannot be written.')]
    }
    return isDiskFull(directory) ? [stop('disk_full', 'The disk of the data folder is full.')] : []
  }

  return {
    async problems() {
      try {
        const folder = await folderProblems()
        return [...folder, ...(await tableHealth(table, failedJobs, failingWebhooks).problems()), ...(moreProblems?.() ?? [])]
      } catch {
        return [stop('data_folder_unusable', 'The data folder cannot be used.')]
      }
    },
  }
}

function stop(code: string, message: string): HealthProblem {
  return { code, message, stops: true }
}
