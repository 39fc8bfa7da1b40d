import { type LogEntry, logOf, type WriteLine } from './json-log.ts'
import type { Log } from './log.ts'

/** A log for people at a terminal: `14:02:11 GET /folder/:id 200 3 ms id=…`, in the machine's time zone, with the stacks of errors below. */
export function readableLog(write: WriteLine): Log {
  return logOf(readableEntry, write)
}

function readableEntry({ time, level, message, ...fields }: LogEntry): string {
  const { summary, rest } = message === 'request' ? requestSummary(fields) : { summary: message, rest: fields }
  const { error, ...others } = rest
  const told = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${valueText(value)}`]))
  const line = [new Date(time).toTimeString().slice(0, 8), ...(level === 'info' ? [] : [level.toUpperCase()]), summary, ...told].join(' ')
  return [line, ...errorLines(error)].map(printable).join('\n')
}

function requestSummary({ route, method, status, ms, ...rest }: Record<string, unknown>) {
  // Routes have their method, but for what no route takes.
  const asked = String(route).includes(' ') ? route : `${method} (${route})`
  return { summary: [asked, status, ...(ms === undefined ? [] : [`${ms} ms`])].join(' '), rest }
}

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (JSON.stringify(value) ?? String(value))

function errorLines(error: unknown): string[] {
  if (error === undefined) return []
  const { stack, name, message, causes = [] } = error as { stack?: string; name?: string; message?: string; causes?: string[] }
  const text = stack ?? (message === undefined ? valueText(error) : `${name}: ${message}`)
  return [...text.split('\n'), ...causes.map((cause) => `because of ${cause}`)].map((line) => `  ${line}`)
}

/** Texts may be of clients: no character of theirs controls the terminal, or turns its writing around. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
