import type { APIGatewayProxyResult } from 'aws-lambda'
import { NotFound } from '../../library/errors.ts'
import type { AnsweredPage } from '../declaration/page.ts'
import { jsonText } from '../declaration/results.ts'
import { type DeclaredRoute, declaredRoute } from '../declaration/route.ts'
import { jsonTextAnswer, pageAnswer } from '../kernel/answer.ts'
import { type Coding, codingFor, compressed } from '../kernel/compression.ts'
import { type ApiHandler, plainHandler } from '../kernel/kernel.ts'
import { type ApiResult, header, type Kernel, setHeaders, wantsPage } from '../protocol/exchange.ts'
import { viewerOf } from '../protocol/viewer.ts'
import type { OpenApiDocument } from './document.ts'

/** The routes of the documentation. One function answers all of them. */
export const documentationEndpoints = {
  'read-home': { route: declaredRoute('GET /'), summary: 'Leads browsers to the console' },
  'read-document': { route: declaredRoute('GET /openapi.json'), summary: 'Read the API document' },
  'read-reference': { route: declaredRoute('GET /docs'), summary: 'The reference, rendered' },
  'read-reference-file': { route: declaredRoute('GET /docs/{file}'), summary: 'A file that the reference is made of' },
} as const satisfies Readonly<Record<string, { route: DeclaredRoute; summary: string }>>

/** A file of the reference. */
export interface ReferenceFile {
  mediaType: string
  /** Its bytes, compressed by gzip, in base64. Every browser accepts gzip. */
  gzip: string
}

export interface Documentation {
  document: OpenApiDocument
  /** Files of the page at `/docs`, by name. */
  files: Readonly<Record<string, ReferenceFile>>
}

/** Answers the documentation routes. @param load is called at the first request, and again until it succeeds */
export function documentationHandler(kernel: Kernel, load: () => Promise<Documentation>): ApiHandler {
  let loaded: Promise<Documentation> | undefined
  const documentation = () => {
    // Another try may succeed, for example once there are free file handles.
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
  let written: WrittenDocument | undefined
  return plainHandler(kernel, 'documentation', async (event) => {
    const { document, files } = await documentation()
    switch (event.resource) {
      case '/openapi.json': {
        const { baseUrl } = viewerOf(event, kernel)
        if (written?.baseUrl !== baseUrl) written = new WrittenDocument(document, baseUrl)
        return written.answer(header(event, 'accept-encoding'))
      }
      case '/docs':
        return pageAnswer(reference(kernel.settings.brand))
      case '/docs/{file}':
        return fileAnswer(files, event.pathParameters?.file ?? '')
      default:
        // A program that asks for the root has lost its path. It gets the 404 of any unknown path.
        if (!wantsPage(event)) throw new NotFound('resource')
        return { statusCode: 302, headers: { Location: '/console/', 'Cache-Control': 'no-store' }, body: '' }
    }
  })
}

/** The document for clients of one address: written once, and compressed once by each coding. Every client may ask for it, without authorization. */
class WrittenDocument {
  readonly baseUrl: string
  readonly #text: Buffer
  readonly #coded = new Map<Coding, Promise<Buffer[]>>()

  constructor(document: OpenApiDocument, baseUrl: string) {
    this.baseUrl = baseUrl
    this.#text = Buffer.from(JSON.stringify({ ...document, servers: [{ url: baseUrl }] }))
  }

  /** @param accepted the request's `Accept-Encoding` */
  async answer(accepted: string | undefined): Promise<ApiResult> {
    const coding = codingFor(accepted)
    const answer = jsonTextAnswer(jsonText(coding ? await this.#codedBy(coding) : [this.#text]))
    setHeaders(answer, { Vary: 'Origin, Accept-Encoding', ...(coding && { 'Content-Encoding': coding }) })
    return answer
  }

  #codedBy(coding: Coding): Promise<Buffer[]> {
    const known = this.#coded.get(coding)
    if (known) return known
    const made = compressed([this.#text], coding)
    this.#coded.set(coding, made)
    made.catch(() => this.#coded.delete(coding))
    return made
  }
}

function fileAnswer(files: Documentation['files'], name: string): APIGatewayProxyResult {
  const file = Object.hasOwn(files, name) ? files[name] : undefined
  if (!file) throw new NotFound('resource')
  return {
    statusCode: 200,
    headers: { 'Content-Type': file.mediaType, 'Content-Encoding': 'gzip', 'Cache-Control': 'public, max-age=86400' },
    body: file.gzip,
    isBase64Encoded: true,
  }
}

/**
 * Swagger UI and a form that signs in for it, from files of this service alone. The policy allows inline style attributes, which Swagger UI
 * needs, and nothing else inline. The form is never sent: the script makes a request of it.
 */
const reference = (brand: string): AnsweredPage => ({
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Media library: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<form id="sign-in" data-scheme="${brand}-SIMPLE-TOKEN">
<details open>
<summary>Sign in to try it out</summary>
<fieldset>
<label>Username <input name="username" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label>Application's key <input name="key" autocomplete="off" required></label>
<label>Application's secret <input name="secret" type="password" autocomplete="off" required></label>
<button>Sign in</button>
</fieldset>
<output></output>
</details>
</form>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script type="module" src="/docs/start.js"></script>
</body>
</html>
`,
  policy: [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
})
