import type { XmlElement } from '@rgrove/parse-xml'
import type { Splice } from '../splice.ts'

/** The range of an attribute, with the spaces before it. */
interface Attribute {
  name: string
  start: number
  end: number
}

/** The attributes of an element. @param xml the text that it was parsed from */
export function attributesOf(xml: string, { start, name }: XmlElement): Attribute[] {
  const attribute = /\s+([^\s=/>]+)\s*=\s*(?:"[^"]*"|'[^']*')/y
  attribute.lastIndex = start + 1 + name.length
  const attributes: Attribute[] = []
  for (let from = attribute.lastIndex, found = attribute.exec(xml); found; from = attribute.lastIndex, found = attribute.exec(xml)) {
    attributes.push({ name: found[1]!, start: from, end: attribute.lastIndex })
  }
  return attributes
}

/** A splice that appends text to an element's content. */
export function atEnd(xml: string, { name, end }: XmlElement, text: string): Splice {
  if (xml.startsWith('/>', end - 2)) return { start: end - 2, end, text: `>${text}</${name}>` }
  const closing = xml.lastIndexOf('</', end - 1)
  return { start: closing, end: closing, text }
}

/** Escapes text for XML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Adjusts a packet's padding, as far as it has some, so that the packet keeps its size in bytes. */
export function inSize(before: string, after: string): string {
  const end = after.lastIndexOf('<?xpacket end')
  let start = end
  while (start > 0 && ' \t\r\n'.includes(after[start - 1]!)) start--
  if (end < 0 || start === end) return after
  const padding = Math.max(1, end - start - (Buffer.byteLength(after) - Buffer.byteLength(before)))
  return after.slice(0, start) + after.slice(start, end).slice(-padding).padStart(padding) + after.slice(end)
}
