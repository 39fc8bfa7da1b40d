import type { ExitCode } from './exit-code.ts'

/** Ends a command with an exit code, after it has said why. */
export class Reported extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode) {
    super('reported')
    this.exitCode = exitCode
  }
}
