import { onTestFinished } from 'vitest'
import { type EmbeddedBackend, openEmbeddedBackend } from '../../../../infra/local/backend/embedded-backend.ts'
import { startDispatcher } from '../../../../infra/local/jobs/dispatcher.ts'
import type { WorkerSetup } from '../../../../infra/local/jobs/worker-protocol.ts'
import { settingsAt } from '../../../../infra/local/settings.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import type { EventTable } from '../../../../shared/runtime/consumer.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { RunningClock } from '../../../support/test-clock.ts'

const BASE_URL = 'http://127.0.0.1:1'

/** A data folder with a dispatcher that a test starts and stops on it. `afterAll` is for one of all tests of a file or suite. */
export class Background {
  readonly directory: string
  readonly log: string[] = []
  readonly clock = new RunningClock()
  #embedded: EmbeddedBackend | undefined
  #stop: (() => Promise<void>) | undefined

  constructor(atEnd: (end: () => Promise<void> | void) => void = onTestFinished) {
    this.directory = temporaryDirectory(atEnd)
    atEnd(() => this.stop())
  }

  get setup(): WorkerSetup {
    return {
      dataDirectory: this.directory,
      temporaryDirectory: this.directory,
      baseUrl: BASE_URL,
      mailSender: 'a@example.com',
      logFormat: 'json',
      settings: settingsAt(BASE_URL, defaultSettings),
    }
  }

  /** Opens the backend and dispatches its events to these consumers. */
  async start(events: EventTable): Promise<EmbeddedBackend> {
    const { directory, clock, setup } = this
    const embedded = await openEmbeddedBackend({ directory, clock, baseUrl: BASE_URL, mailSender: setup.mailSender })
    const context = { clock, settings: setup.settings, log: jsonLog((line) => this.log.push(line)) }
    const dispatcher = startDispatcher(embedded, events, { context, setup, measured: (run) => run })
    this.#embedded = embedded
    this.#stop = () => dispatcher.stop(100)
    return embedded
  }

  /** Stops as a server does. */
  async stop(): Promise<void> {
    await this.#stop?.()
    await this.#embedded?.close()
    this.#stop = undefined
    this.#embedded = undefined
  }

  advance(seconds: number): void {
    this.clock.advance(seconds)
  }
}
