import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from './backends/clock/port.ts'
import { standardLog } from './log/json-log.ts'
import type { Log } from './log/log.ts'
import type { Settings } from './settings.ts'

/**
 * Begins a Lambda function's process: what it knows besides its backend, from the environment that infra/aws/stack/service-function.ts gives it, and
 * a folder of its own for temporary files.
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
 * Temporary files go into a folder that is empty at the start. A run that is cut off, by a crash or its time limit, leaves its files behind:
 * Lambda begins the process anew, but keeps `/tmp`, which a few such runs would fill. The log stream names what they have in common.
 */
function ownTemporaryFolder(): void {
  const { AWS_LAMBDA_LOG_STREAM_NAME: environment } = process.env
  if (!environment) return
  const folder = join(tmpdir(), environment.replace(/\W+/g, '-'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  process.env.TMPDIR = folder
}
