import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { HealthProblem } from '../../../shared/backends/health/port.ts'
import { repeating } from '../../../shared/library/concurrency/repeating.ts'
import type { Log } from '../../../shared/log/log.ts'
import { lackOfDisk } from './known-targets.ts'
import { BackupImpossible, backupsIn, prepareTarget, type StoredBackup } from './target.ts'
import { lastTime, type TimeOfDay } from './time-of-day.ts'

/** Target and time of the server's backups. */
export interface BackupSettings {
  /** Absolute path of the folder of backups. */
  target: string
  at: TimeOfDay
}

/** Poll interval in milliseconds. */
const TICK = 1_000

/** Age of the last backup at which the next one is overdue, in milliseconds. */
const OVERDUE = 26 * 60 * 60 * 1000

const PROGRAM = fileURLToPath(new URL('./run.ts', import.meta.url))
const START_UP = fileURLToPath(new URL('../../start-up.cjs', import.meta.url))

/** Longest error output of a failed backup, in bytes. */
const MOST_TEXT = 1024 ** 2

export interface ScheduleOptions extends BackupSettings {
  dataDirectory: string
  clock: Clock
  log: Log
}

/** The daily backup of a server: due time, last outcome, and whether there are recent ones. */
export class BackupSchedule {
  readonly #options: ScheduleOptions
  #newest: StoredBackup | undefined
  /** Start of the last backup in UNIX milliseconds; or the server's start, where later than the newest backup. */
  #begun: number
  #failure: { time: number } | undefined
  /** Whether the operator was told that backups are overdue. */
  #saidOverdue = false
  readonly #started: number

  /** @throws BackupImpossible where there can be no backups */
  constructor(options: ScheduleOptions) {
    this.#options = options
    try {
      prepareTarget(options.target, options.dataDirectory)
    } catch (error) {
      throw error instanceof BackupImpossible ? new BackupImpossible(`${error.message} Set BACKUP_TO to another folder.`) : error
    }
    this.#started = options.clock.now()
    this.#newest = backupsIn(options.target)[0]
    this.#begun = Math.min(this.#started, this.#newest?.made.getTime() ?? this.#started)
  }

  /** When the newest backup was made. */
  get lastMade(): Date | undefined {
    return this.#newest?.made
  }

  /** For `/healthz`. */
  problems(): HealthProblem[] {
    const problems: HealthProblem[] = []
    if (this.#failure) {
      const message = `The backup of ${new Date(this.#failure.time).toISOString()} failed. The log says why.`
      problems.push({ code: 'backup_failed', message, stops: false })
    }
    if (this.#isOverdue()) {
      const last = this.#newest ? `The last backup was made at ${this.#newest.made.toISOString()}.` : 'There is no backup yet.'
      problems.push({ code: 'backup_overdue', message: `A backup is overdue. ${last}`, stops: false })
    }
    return problems
  }

  /** Starts the schedule. @param tell sends an e-mail to the operator @returns a function that stops it and a running backup */
  start(tell: (subject: string, text: string) => Promise<void>): { stop(): Promise<void> } {
    const ending = new AbortController()
    let running: Promise<void> | undefined
    const ticking = repeating(this.#options.clock, TICK, () => {
      running ??= this.#tick(tell, ending.signal).finally(() => {
        running = undefined
      })
    })
    return {
      async stop() {
        ending.abort()
        await ticking[Symbol.asyncDispose]()
        await running
      },
    }
  }

  async #tick(tell: (subject: string, text: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { at, clock } = this.#options
    const now = clock.now()
    // The clock may have been ahead before.
    this.#begun = Math.min(this.#begun, now)
    if (lastTime(at, now) > this.#begun) {
      this.#begun = now
      await this.#run(tell, signal)
    }
    if (!this.#isOverdue()) this.#saidOverdue = false
    else if (!this.#saidOverdue) {
      this.#saidOverdue = true
      for (const { code, message } of this.problems()) if (code === 'backup_overdue') await tell('A backup is overdue', message)
    }
  }

  async #run(tell: (subject: string, text: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { target, dataDirectory, log, clock } = this.#options
    const reason = this.#whyNot() ?? (await makeInProcess([dataDirectory, target, String(this.#begun)], signal))
    if (signal.aborted) return
    this.#newest = backupsIn(target)[0] ?? this.#newest
    if (reason === undefined) {
      this.#failure = undefined
      log.info('backup made', { folder: this.#newest?.folder })
      return
    }
    this.#failure = { time: clock.now() }
    log.error('backup failed', { error: new Error(reason) })
    await tell('A backup failed', reason)
  }

  /** An unmounted disk leaves an empty or missing folder on the system's disk, which must get no backups. */
  #whyNot(): string | undefined {
    const { dataDirectory, target } = this.#options
    const [latest] = backupsIn(target)
    const isNewer = this.#newest !== undefined && latest !== undefined && latest.made > this.#newest.made
    const expected = this.#newest?.folder ?? target
    const reason = existsSync(expected) || isNewer ? lackOfDisk(dataDirectory, target) : `${expected} is gone.`
    return reason && `${reason} Bring its disk back; or, if that is on purpose, run once: npm run --silent admin -- backup ${target} --yes`
  }

  #isOverdue(): boolean {
    return this.#options.clock.now() - (this.#newest?.made.getTime() ?? this.#started) > OVERDUE
  }
}

/** @returns a message for the operator where something failed */
function makeInProcess(args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--require', START_UP, PROGRAM, ...args],
      { signal, killSignal: 'SIGKILL', maxBuffer: MOST_TEXT },
      (error, _, stderr) => {
        resolve(error ? stderr.trim() || error.message : undefined)
      },
    )
  })
}
