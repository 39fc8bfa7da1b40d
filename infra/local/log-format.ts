import { jsonLog, type WriteLine } from '../../shared/log/json-log.ts'
import type { Log } from '../../shared/log/log.ts'
import { readableLog } from '../../shared/log/readable-log.ts'

/** How the server writes its log: JSON lines for programs, or lines for people. */
export const logFormats = ['json', 'text'] as const
export type LogFormat = (typeof logFormats)[number]

export function logAs(format: LogFormat, write: WriteLine): Log {
  return format === 'text' ? readableLog(write) : jsonLog(write)
}
