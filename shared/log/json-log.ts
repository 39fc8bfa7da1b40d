import type { Log } from './log.ts'

type Level = 'info' | 'warn' | 'error'

/** A log that writes JSON lines. @param write takes one line without its end, and how serious it is */
export function jsonLog(write: (line: string, level: Level) => void, fixed: Record<string, unknown> = {}): Log {
  const entry = (level: Level) => (message: string, fields?: Record<string, unknown>) =>
    write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fixed, ...readable(fields) }), level)
  return {
    info: entry('info'),
    warn: entry('warn'),
    error: entry('error'),
    with: (fields) => jsonLog(write, { ...fixed, ...fields }),
  }
}

/** Errors don't survive JSON.stringify by themselves. */
function readable(fields: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (!(fields?.error instanceof Error)) return fields
  const { name, message, stack } = fields.error
  return { ...fields, error: { name, message, stack } }
}
