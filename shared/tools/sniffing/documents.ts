import type { Sniffed } from './sniffed.ts'
import { rootName, textOf } from './text.ts'

const illustrator: Sniffed = { kind: 'vector', mime: 'application/illustrator', extension: 'ai' }
const eps: Sniffed = { kind: 'vector', mime: 'application/eps', extension: 'eps' }
const postscript: Sniffed = { kind: 'generic', mime: 'application/postscript', extension: 'ps' }
const pdf: Sniffed = { kind: 'generic', mime: 'application/pdf', extension: 'pdf' }
const svg: Sniffed = { kind: 'vector', mime: 'image/svg+xml', extension: 'svg' }
const xml: Sniffed = { kind: 'generic', mime: 'application/xml', extension: 'xml' }
const html: Sniffed = { kind: 'generic', mime: 'text/html', extension: 'html' }
const text: Sniffed = { kind: 'generic', mime: 'text/plain', extension: 'txt' }

/** Illustrator's own data in a PDF. PDFs merely exported by it have none. */
const illustratorData = /\/AIPrivateData|\/AIMetaData|\/AIPDFPrivateData|application\/(?:vnd\.adobe\.)?illustrator/
/** PostScript in a DOS wrapper with a preview picture, which only EPS files have. */
const dosEps = Buffer.from('c5d0d3c6', 'hex')

/** What may precede the header: byte order mark, white space, and the end-of-transmission character of printer drivers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding it is the point.
const BEGINNING = /^(?:\xef\xbb\xbf)?[\s\x04]*/

/** Detects PostScript and PDF, which vector programs use as native formats. */
export function sniffDocument(head: Buffer, tail: Buffer): Sniffed | undefined {
  if (head.subarray(0, 4).equals(dosEps)) return eps
  const start = head.toString('latin1').replace(BEGINNING, '')
  if (start.startsWith('%PDF-')) return pdfOf(start, tail)
  if (!start.startsWith('%!PS')) return undefined
  const comments = start.slice(0, 4_096)
  if (/^%%Creator: ?Adobe Illustrator/m.test(comments)) return illustrator
  return /^%!PS-Adobe-[\d.]+ EPSF-/.test(comments) ? eps : postscript
}

/** Readers accept a PDF's header anywhere within this many bytes (ISO 32000, implementation note 13 of PDF 1.7). */
const HEADER_WITHIN = 1_024

/** Detects a PDF after other data: a header with a line break, and an object after it. */
export function sniffLatePdf(head: Buffer, tail: Buffer): Sniffed | undefined {
  const start = head.toString('latin1')
  const at = start.slice(0, HEADER_WITHIN + '%PDF-1.4\n'.length - 1).search(/%PDF-\d\.\d\s*[\r\n]/)
  return at >= 0 && /[\r\n]\d{1,10} \d{1,5} obj\b/.test(start.slice(at)) ? pdfOf(start, tail) : undefined
}

const pdfOf = (start: string, tail: Buffer): Sniffed =>
  illustratorData.test(start) || illustratorData.test(tail.toString('latin1')) ? illustrator : pdf

/** Detects text files: SVG, other XML, HTML, plain text. */
export function sniffText(head: Buffer): Sniffed | undefined {
  const start = textOf(head)
  if (start === undefined) return undefined
  const root = rootName(start)
  if (root === 'svg') return svg
  if (root === 'html' || /^\s*<!doctype\s+html/i.test(start)) return html
  return /^\s*<\?xml\s/.test(start) ? xml : text
}
