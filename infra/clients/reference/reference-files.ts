import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { ReferenceFile } from '../../../shared/http/openapi/documentation.ts'

const packaged = new URL('../../../node_modules/swagger-ui-dist/', import.meta.url)

/** The files that the reference at `/docs` is made of. */
export function referenceFiles(): Record<string, ReferenceFile> {
  const file = (name: string, folder: URL | string) => {
    const mediaType = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    return [name, { mediaType, gzip: gzipSync(readFileSync(new URL(name, folder))).toString('base64') }]
  }
  return Object.fromEntries([
    ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => file(name, packaged)),
    ...['start.js', 'sign-in.js', 'reference.css'].map((name) => file(name, import.meta.url)),
  ])
}
