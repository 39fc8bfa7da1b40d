import { createHash } from 'node:crypto'
import { LibraryError } from '../../library/errors.ts'

/** Declares that a 200 is an HTML page instead of JSON: `returns: htmlPage`. */
export interface PageOutput {
  page: true
}
export const htmlPage: PageOutput = { page: true }

/** The page that a handler answers with. `selfContainedPage()` makes one. */
export interface AnsweredPage {
  html: string
  /** Value of `Content-Security-Policy`. */
  policy: string
}

/** A refusal that a person in a browser reads on a page, under its own status. Programs get its JSON. */
export class RefusedOnPage extends Error {
  readonly refusal: LibraryError
  readonly page: AnsweredPage

  constructor(refusal: LibraryError, page: AnsweredPage) {
    super(refusal.message, { cause: refusal })
    this.refusal = refusal
    this.page = page
  }
}

/** Puts the library's refusals on a page: `await open(...).catch(refusedOn(page))`. @throws RefusedOnPage, or what else was thrown */
export const refusedOn =
  (page: AnsweredPage) =>
  (error: unknown): never => {
    throw error instanceof LibraryError ? new RefusedOnPage(error, page) : error
  }

export interface PageParts {
  title: string
  /** HTML. It must hold nothing of a request. */
  body: string
  /** CSS, in addition to that of all pages. */
  style: string
  /** JavaScript. It runs as a module, after the page is parsed. */
  script?: string
}

/**
 * A page in one file. Its policy allows its own style and script, and requests to the service. Everything else is forbidden: other scripts,
 * pictures, forms, and frames around it.
 */
export function selfContainedPage({ title, body, style: own, script }: PageParts): AnsweredPage {
  const style = houseStyle + own
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${title}</title>`,
    `<style>${style}</style>`,
  ]
  const code = script === undefined ? '' : `<script type="module">${script}</script>`
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html: `<!doctype html>\n<html lang="en">\n<head>${head.join('\n')}</head>\n<body>${body}${code}</body>\n</html>\n`, policy }
}

const houseStyle = `
:root { color-scheme: light dark }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif }
main { margin: 10vh auto 0; padding: 1rem }
h1 { font-size: 1.4rem }
`

/** The hash allows this inline style or script, and no injected one. */
function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
