import { randomUUID } from 'node:crypto'
import type { UploadForm } from '../../../shared/backends/objects/port.ts'

/** A part of a multipart body. Strings are sent in UTF-8. */
export interface FormPart {
  name: string
  value: string | Uint8Array
  /** `filename` as it stands between the quotes of the header. */
  filename?: string
  /** Further header lines. */
  headers?: string[]
}

/** The parts that a client makes of a form: its fields in order, then the file. */
export function formParts(form: UploadForm, file: Uint8Array | string, filename?: string): FormPart[] {
  const fields = form.fields.map(({ name, value }) => ({ name, value }))
  const part = { name: 'file', value: file, headers: ['Content-Type: application/octet-stream'] }
  return [...fields, filename === undefined ? part : { ...part, filename }]
}

/** A multipart/form-data body with the content type to send along. */
export function multipart(parts: readonly FormPart[]): { contentType: string; body: Buffer<ArrayBuffer> } {
  const boundary = `----form-${randomUUID()}`
  const chunks = parts.flatMap(({ name, value, filename, headers = [] }) => {
    const disposition = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`
    const head = [`--${boundary}`, `Content-Disposition: ${disposition}`, ...headers, '', ''].join('\r\n')
    return [Buffer.from(head), Buffer.from(value as string), Buffer.from('\r\n')]
  })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

/** What a storage answered to a form. */
export interface PostAnswer {
  status: number
  headers: Headers
  /** Query parameters of the redirect; empty without one. */
  redirected: URLSearchParams
  /** S3's error code, where the answer is an error. */
  code: string | undefined
}

/** Posts a form as a browser would, without following the redirect. */
export async function postForm(action: string, parts: readonly FormPart[], headers: Record<string, string> = {}): Promise<PostAnswer> {
  const { contentType, body } = multipart(parts)
  const response = await fetch(action, { method: 'POST', redirect: 'manual', headers: { 'content-type': contentType, ...headers }, body })
  const location = response.headers.get('location')
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    redirected: new URLSearchParams(location ? new URL(location, action).search : ''),
    code: /<Code>(\w+)<\/Code>/.exec(text)?.[1],
  }
}
