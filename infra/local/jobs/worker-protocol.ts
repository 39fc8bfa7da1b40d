import type { Settings } from '../../../shared/settings.ts'
import type { LogFormat } from '../log-format.ts'
import type { JobInput } from './run-job.ts'

/** What a worker is started with, as JSON in its only argument. No secrets: arguments show in process lists. */
export interface WorkerSetup {
  dataDirectory: string
  /** Where the tools put their files; emptied at every start of the server. */
  temporaryDirectory: string
  baseUrl: string
  mailSender: string
  logFormat: LogFormat
  settings: Settings
}

/** From server to worker: do this. One at a time. */
export interface JobOrder {
  /** Name of the consumer. */
  consumer: string
  event: JobInput
  /** The server's time in UNIX milliseconds: the worker's clock follows it. */
  now: number
}

/** From worker to server: done, or not. */
export interface JobOutcome {
  /** What the consumer returned. */
  result?: unknown
  /** What it threw. */
  error?: { name: string; message: string; stack?: string }
}
