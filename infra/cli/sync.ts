import type { ExitCode } from './exit-code.ts'

export interface SyncOptions {
  isDryRun: boolean
  transfers: number
}

/** What a sync has copied, and what it would take away. */
export interface Synced {
  numbers: { copied: number; unchanged: number; failed: number }
  exitCode: ExitCode
  /** Paths of files at the target that are not at the source. */
  surplus: string[]
  /** Moves them to the trash. @returns how many */
  trash(): Promise<number>
}
