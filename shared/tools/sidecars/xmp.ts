import { parseXml, XmlElement } from '@rgrove/parse-xml'

/** A file's metadata in XMP: texts by language, and keywords. */
export interface XmpMetadata {
  title: Record<string, string>
  description: Record<string, string>
  byline: string
  copyright: string
  keywords: readonly string[]
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const DC = 'http://purl.org/dc/elements/1.1/'
/** The language of texts without one. */
const DEFAULT_LANGUAGE = 'en'

/** One value of a property. */
interface Item {
  language: string
  text: string
}

/** Reads an XMP sidecar (ISO 16684-1). @throws Error if it is no XML */
export function readXmp(xmp: string): XmpMetadata {
  const { root } = parseXml(xmp)
  const elements = root ? [...withDescendants(root)] : []
  const prefixes = new Map(
    elements.flatMap(({ attributes }) =>
      Object.entries(attributes).flatMap(([name, uri]) => (name.startsWith('xmlns:') ? [[name.slice(6), uri] as const] : [])),
    ),
  )
  const isNamed = (element: XmlElement, uri: string, name: string) => {
    const [prefix = '', local] = element.name.split(':')
    return local === name && prefixes.get(prefix) === uri
  }
  const itemsOf = (property: string): Item[] => {
    const found = elements.find((element) => isNamed(element, DC, property))
    if (!found) return []
    const items = [...withDescendants(found)].filter((element) => isNamed(element, RDF, 'li'))
    return (items.length > 0 ? items : [found]).flatMap(({ attributes, text }) =>
      text.trim() ? [{ language: attributes['xml:lang']?.toLowerCase() ?? 'x-default', text: text.trim() }] : [],
    )
  }
  return {
    title: byLanguage(itemsOf('title')),
    description: byLanguage(itemsOf('description')),
    byline: itemsOf('creator')
      .map(({ text }) => text)
      .join(', '),
    copyright: itemsOf('rights')[0]?.text ?? '',
    keywords: itemsOf('subject').map(({ text }) => text),
  }
}

function* withDescendants(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) if (child instanceof XmlElement) yield* withDescendants(child)
}

/** Drops the default text if it repeats that of a language, as it usually does. */
function byLanguage(items: readonly Item[]): Record<string, string> {
  const named = items
    .filter(({ language }) => language !== 'x-default')
    .map(({ language, text }) => [language.split('-')[0]!, text] as const)
  const unnamed = items.find(({ language }) => language === 'x-default')?.text
  const isRepeated = unnamed === undefined || named.some(([, text]) => text === unnamed)
  return Object.fromEntries([...(isRepeated ? [] : [[DEFAULT_LANGUAGE, unnamed] as const]), ...named])
}

/** The part of a file's document that XMP can hold. */
interface Described {
  metadata: Pick<XmpMetadata, 'title' | 'description'> & { keywords: Record<string, readonly string[]> }
  byline?: string | null
  copyright?: string | null
}

/** Converts a file's document to XMP. Keywords of all languages become one list. */
export function xmpOf({ metadata: { title, description, keywords }, byline, copyright }: Described): string {
  const words = [...new Set(Object.values(keywords).flat())]
  return writeXmp({ title, description, byline: byline ?? '', copyright: copyright ?? '', keywords: words })
}

/** Writes an XMP sidecar. */
export function writeXmp({ title, description, byline, copyright, keywords }: XmpMetadata): string {
  const texts = (name: string, languages: Record<string, string>) => {
    const [first] = Object.values(languages)
    if (first === undefined) return ''
    const all = [['x-default', languages[DEFAULT_LANGUAGE] ?? first], ...Object.entries(languages)]
    return property(
      name,
      'Alt',
      all.map(([language, text]) => `<rdf:li xml:lang="${escaped(language!)}">${escaped(text!)}</rdf:li>`),
    )
  }
  const words = (name: string, kind: 'Seq' | 'Bag', values: readonly string[]) =>
    values.length > 0
      ? property(
          name,
          kind,
          values.map((value) => `<rdf:li>${escaped(value)}</rdf:li>`),
        )
      : ''
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="${RDF}">
  <rdf:Description rdf:about="" xmlns:dc="${DC}">
${texts('title', title)}${texts('description', description)}${words('creator', 'Seq', byline ? [byline] : [])}${texts(
  'rights',
  copyright ? { [DEFAULT_LANGUAGE]: copyright } : {},
)}${words('subject', 'Bag', keywords)}  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`
}

const property = (name: string, kind: string, items: readonly string[]): string =>
  `   <dc:${name}>\n    <rdf:${kind}>\n${items.map((item) => `     ${item}\n`).join('')}    </rdf:${kind}>\n   </dc:${name}>\n`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML allows no control characters except line breaks and tabs. */
const escaped = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
  text.replace(/[&<>"]/g, (character) => ENTITIES[character]!).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
