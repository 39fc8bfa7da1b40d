import { joined } from './bytes.ts'
import { randomKey } from './retries.ts'
import type { Sending } from './send.ts'

/**
 * A form whose last field, `file`, is a file. Bytes stay bytes: `FormData` copies them into a `Blob`, which is copied again when it is read, and
 * stays in memory until the engine gets round to it.
 */
export function formOf(
  fields: readonly { name: string; value: string }[],
  filename: string,
  file: Blob | Uint8Array<ArrayBuffer>,
): Pick<Sending, 'headers' | 'body'> {
  const boundary = `form-${randomKey()}`
  const head = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  const before = fields.map(({ name, value }) => `${head(name)}\r\n\r\n${value}\r\n`)
  // The names are written as by browsers.
  const quoted = filename.replace(/["\r\n]/g, encodeURIComponent)
  const first = `${before.join('')}${head('file')}; filename="${quoted}"\r\n\r\n`
  const last = `\r\n--${boundary}--\r\n`
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: file instanceof Blob ? new Blob([first, file, last]) : joined(first, file, last),
  }
}
