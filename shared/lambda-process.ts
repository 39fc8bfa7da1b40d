import { type Clock, systemClock } from './backends/clock/port.ts'
import { jsonLog } from './log/json-log.ts'
import type { Log } from './log/log.ts'
import type { Settings } from './settings.ts'

/** What a Lambda function knows besides its backend, from the environment that infra/stack/service-function.ts gives it. */
export function lambdaProcess(): { settings: Settings; clock: Clock; log: Log } {
  return {
    settings: JSON.parse(process.env.SETTINGS ?? '{}'),
    clock: systemClock,
    log: jsonLog((line) => process.stdout.write(`${line}\n`)),
  }
}
