import type { Email } from '../../backends/mail/port.ts'
import { currentTrace } from '../../log/trace.ts'
import { onOneLine } from '../names.ts'

/** A paragraph of an e-mail: a sentence or more, a link with the words that it shows, or a code to copy. */
export type Paragraph = string | { text: string; link: string } | { code: string }

export interface EmailParts {
  /** One bare address, `anna@example.com`. */
  to: string
  /** The subject, which is also the heading. Text of users in it is shortened, and comes on one line. */
  subject: string
  paragraphs: readonly Paragraph[]
  /** The name of the company's brand, else the operator's (`mailBrand`): begins the subject line, and ends the e-mail. */
  brand: string
  /** The id of the request that the e-mail answers, for questions to the operator. */
  requestId: string
}

/** Most characters of a subject: mail programs show fewer, and some servers refuse lines of more than 998 bytes. */
const MAX_SUBJECT = 150
/** Of the name before it. */
const MAX_BRAND = 60

/**
 * Puts an e-mail together: the one text and the one HTML template of the service. Paragraphs may hold text of users: it is escaped, and stays
 * on one line, so that it can't look like a paragraph of its own.
 */
export function renderEmail({ to, subject, paragraphs, brand, requestId }: EmailParts): Email {
  const heading = shortened(onOneLine(subject), MAX_SUBJECT)
  const footer = onOneLine(`Sent by ${brand}. Request ${requestId}`)
  const text = [heading, ...paragraphs.map(textOf), footer].join('\n\n')
  const html = page(heading, paragraphs.map(htmlOf), footer)
  return { to, subject: `${shortened(onOneLine(brand), MAX_BRAND)}: ${heading}`, text: `${text}\n`, html, ...traceHeaders() }
}

/** The trace of the request from which the e-mail follows. */
function traceHeaders(): Pick<Email, 'headers'> {
  const { id, traceparent } = currentTrace() ?? {}
  return id === undefined ? {} : { headers: { 'X-Request-Id': id, ...(traceparent !== undefined && { traceparent }) } }
}

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return onOneLine(paragraph)
  return 'code' in paragraph ? onOneLine(paragraph.code) : `${onOneLine(paragraph.text)}:\n${onOneLine(paragraph.link)}`
}

function htmlOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p dir="auto">${escaped(paragraph)}</p>`
  if ('code' in paragraph) return `<p><code style="font-size:1.1em;overflow-wrap:anywhere">${escaped(paragraph.code)}</code></p>`
  return `<p dir="auto"><a href="${escaped(paragraph.link)}">${escaped(paragraph.text)}</a></p>`
}

/** It has no colours of its own, so that light and dark mail programs show theirs. Styles stand on the elements: many programs drop all others. */
function page(heading: string, paragraphs: readonly string[], footer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(heading)}</title>
</head>
<body style="margin:0;padding:1.5em;font:1em/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:36em;margin:0 auto;overflow-wrap:break-word">
<h1 dir="auto" style="margin:0 0 1em;font-size:1.35em;line-height:1.3">${escaped(heading)}</h1>
${paragraphs.join('\n')}
<p style="margin:2em 0 0;border-top:1px solid;padding-top:.8em;font-size:.85em">${escaped(footer)}</p>
</div>
</body>
</html>
`
}

function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

function escaped(text: string): string {
  return onOneLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
