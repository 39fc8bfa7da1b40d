import type { ExitCode } from './exit-code.ts'
import type { Rate } from './rate.ts'

export interface SyncOptions {
  isDryRun: boolean
  transfers: number
  rate?: Rate | undefined
}

/** What a sync has copied, and what it would take away. */
export interface Synced {
  /** `replaced`: files of the library that went to the trash for those that were copied. */
  numbers: { copied: number; unchanged: number; replaced: number; failed: number }
  exitCode: ExitCode
  /** Paths of files at the target that are not at the source. */
  surplus: string[]
  /** Moves them to the trash. @returns how many */
  trash(): Promise<number>
}
