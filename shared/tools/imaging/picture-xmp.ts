import type { PictureLabels } from './picture-labels.ts'

const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/**
 * The XMP packet (ISO 16684-1) of a picture that says nothing else: its copyright, character by character, and the address of its digital source type.
 * @param more further descriptions, as XML
 * @returns undefined where there is nothing to say
 */
export function pictureXmp({ copyright, digitalSourceType }: PictureLabels, more = ''): string | undefined {
  const rights = inXml(copyright ?? '')
  const properties = [
    ...(rights ? [`<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${rights}</rdf:li></rdf:Alt></dc:rights>`] : []),
    ...(digitalSourceType
      ? [`<Iptc4xmpExt:DigitalSourceType>${SOURCE_TYPES}${inXml(digitalSourceType)}</Iptc4xmpExt:DigitalSourceType>`]
      : []),
  ]
  return properties.length > 0 || more ? `${BEGINNING}${properties.join('')}</rdf:Description>${more}${END}` : undefined
}

/** The id is the same in every packet: it is the standard's. */
const BEGINNING =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""' +
  ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">'
const END = '</rdf:RDF></x:xmpmeta><?xpacket end="r"?>'

/** Characters that XML 1.0 can't hold, not even as references. */
const UNWRITABLE = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const REFERENCES: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** The text of an element. Parsers would make a line feed of a carriage return that isn't a reference. */
const inXml = (text: string): string => text.replace(UNWRITABLE, '').replace(/[&<>\r]/g, (character) => REFERENCES[character]!)
