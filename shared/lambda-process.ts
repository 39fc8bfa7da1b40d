import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from './backends/clock/port.ts'
import { standardLog } from './log/json-log.ts'
import type { Log } from './log/log.ts'
import type { Settings } from './settings.ts'

/**
 * Initialises a Lambda function's process: reads the settings from the environment that infra/aws/stack/service-function.ts sets, and gives
 * the process its own folder for temporary files.
 */
export function lambdaProcess(): { settings: Settings; clock: Clock; log: Log } {
  ownTemporaryFolder()
  return {
    settings: JSON.parse(process.env.SETTINGS ?? '{}'),
    clock: systemClock,
    log: standardLog(),
  }
}

/**
 * Empties the folder for temporary files at the start. A run that crashes or times out leaves files behind, and Lambda restarts the process
 * but keeps `/tmp`, which a few such runs would fill. Such processes share a log stream, so its name is the folder's name.
 */
function ownTemporaryFolder(): void {
  const { AWS_LAMBDA_LOG_STREAM_NAME: environment } = process.env
  if (!environment) return
  const folder = join(tmpdir(), environment.replace(/\W+/g, '-'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  process.env.TMPDIR = folder
}
