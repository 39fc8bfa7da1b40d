import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { ReferenceFile } from '../shared/http/openapi/documentation.ts'

const packaged = new URL('../node_modules/swagger-ui-dist/', import.meta.url)

/** Starts Swagger UI. The reference talks to the host that it came from, under whatever name that is known. */
const START = `
fetch('/openapi.json').then((response) => response.json()).then((document) => {
  SwaggerUIBundle({
    spec: { ...document, servers: [{ url: location.origin }] },
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
  })
})
`

/** The files that the reference at `/docs` is made of. */
export function referenceFiles(): Record<string, ReferenceFile> {
  const file = (mediaType: string, content: Buffer | string) => ({ mediaType, gzip: gzipSync(content).toString('base64') })
  const script = 'text/javascript; charset=utf-8'
  return {
    'swagger-ui-bundle.js': file(script, readFileSync(new URL('swagger-ui-bundle.js', packaged))),
    'swagger-ui.css': file('text/css; charset=utf-8', readFileSync(new URL('swagger-ui.css', packaged))),
    'start.js': file(script, START),
  }
}
