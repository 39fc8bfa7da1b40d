/** Structured log: one JSON line per entry. Secrets never go in: log ids, not values. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown> & { error?: unknown }): void
  /** The same log with fields that every entry carries. */
  with(fields: Record<string, unknown>): Log
}
