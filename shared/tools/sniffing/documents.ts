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

/** Illustrator's own data inside a PDF; a PDF merely exported by it has none. */
const illustratorData = /\/AIPrivateData|\/AIMetaData|\/AIPDFPrivateData|application\/(?:vnd\.adobe\.)?illustrator/
/** PostScript in a DOS wrapper with a preview picture, as EPS files only are. */
const dosEps = Buffer.from('c5d0d3c6', 'hex')

/** A byte order mark and blanks, and the end of transmission with which printer drivers begin. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding it is the point.
const BEGINNING = /^(?:\xef\xbb\xbf)?[\s\x04]*/

/** PostScript and PDF, which vector programs use as their own formats. */
export function sniffDocument(head: Buffer, tail: Buffer): Sniffed | undefined {
  if (head.subarray(0, 4).equals(dosEps)) return eps
  const start = head.toString('latin1').replace(BEGINNING, '')
  if (start.startsWith('%PDF-')) return pdfOf(start, tail)
  if (!start.startsWith('%!PS')) return undefined
  const comments = start.slice(0, 4_096)
  if (/^%%Creator: ?Adobe Illustrator/m.test(comments)) return illustrator
  return /^%!PS-Adobe-[\d.]+ EPSF-/.test(comments) ? eps : postscript
}

/** Where a PDF's header stands at most: readers take it wherever it is in so many bytes (ISO 32000, implementation note 13 of PDF 1.7). */
const HEADER_WITHIN = 1_024

/** PDF behind something else: a header with its line's end, and an object after it. */
export function sniffLatePdf(head: Buffer, tail: Buffer): Sniffed | undefined {
  const start = head.toString('latin1')
  const at = start.slice(0, HEADER_WITHIN + '%PDF-1.4\n'.length - 1).search(/%PDF-\d\.\d\s*[\r\n]/)
  return at >= 0 && /[\r\n]\d{1,10} \d{1,5} obj\b/.test(start.slice(at)) ? pdfOf(start, tail) : undefined
}

const pdfOf = (start: string, tail: Buffer): Sniffed =>
  illustratorData.test(start) || illustratorData.test(tail.toString('latin1')) ? illustrator : pdf

/** Files that are text from the first byte on: SVG, other XML, HTML, anything else. */
export function sniffText(head: Buffer): Sniffed | undefined {
  const start = textOf(head)
  if (start === undefined) return undefined
  const root = rootName(start)
  if (root === 'svg') return svg
  if (root === 'html' || /^\s*<!doctype\s+html/i.test(start)) return html
  return /^\s*<\?xml\s/.test(start) ? xml : text
}
