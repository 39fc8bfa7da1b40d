import type { Log } from './log.ts'
import { currentTrace } from './trace.ts'

type Level = 'info' | 'warn' | 'error'

/** One entry of a log: what is always there, and the fields that the caller and its surroundings add. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  time: string
  level: Level
  message: string
  [field: string]: unknown
}

/** Takes one entry as text without its end, and how serious it is. */
export type WriteLine = (line: string, level: Level) => void

/** A log that writes JSON lines. */
export function jsonLog(write: WriteLine, fixed: Record<string, unknown> = {}): Log {
  return logOf(JSON.stringify, write, fixed)
}

/** A log that writes entries in some format. */
export function logOf(format: (entry: LogEntry) => string, write: WriteLine, fixed: Record<string, unknown> = {}): Log {
  return new FormattedLog(format, write, fixed)
}

/** A class, because each request makes one of its own: methods cost nothing then. */
class FormattedLog implements Log {
  readonly #format: (entry: LogEntry) => string
  readonly #write: WriteLine
  readonly #fixed: Record<string, unknown>

  constructor(format: (entry: LogEntry) => string, write: WriteLine, fixed: Record<string, unknown>) {
    this.#format = format
    this.#write = write
    this.#fixed = fixed
  }

  info(message: string, fields?: Record<string, unknown>): void {
    this.#entry('info', message, fields)
  }

  warn(message: string, fields?: Record<string, unknown>): void {
    this.#entry('warn', message, fields)
  }

  error(message: string, fields?: Record<string, unknown>): void {
    this.#entry('error', message, fields)
  }

  with(fields: Record<string, unknown>): Log {
    return new FormattedLog(this.#format, this.#write, { ...this.#fixed, ...fields })
  }

  #entry(level: Level, message: string, fields: Record<string, unknown> | undefined): void {
    const about = { time: new Date().toISOString(), level, message }
    this.#write(this.#format({ ...about, ...currentTrace(), ...this.#fixed, ...readable(fields) }), level)
  }
}

/** A log to the standard output, which Lambda keeps. */
export function standardLog(): Log {
  return jsonLog((line) => process.stdout.write(`${line}\n`))
}

/** Errors don't survive JSON.stringify by themselves. */
function readable(fields: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (!(fields?.error instanceof Error)) return fields
  const { name, message, stack } = fields.error
  const causes = causesOf(fields.error)
  return { ...fields, error: { name, message, ...(causes.length > 0 && { causes }), stack } }
}

/** Most causes of an error that are logged, and most characters of each: servers outside write them. */
const MOST = { causes: 5, characters: 500 }

/** The causes of an error, in words: the answer of a mail server, for example. */
function causesOf(error: Error): string[] {
  const causes: string[] = []
  for (let { cause } = error; cause instanceof Error && causes.length < MOST.causes; { cause } = cause) {
    causes.push(`${cause.name}: ${cause.message}`.slice(0, MOST.characters))
  }
  return causes
}
