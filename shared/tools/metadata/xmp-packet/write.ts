import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { ToolFailed } from '../../failure.ts'
import type { Assignment } from '../assignment.ts'
import { type Splice, splice } from '../splice.ts'
import { elementsOf, isNamed, isQualified, leadsTo } from './namespaces.ts'
import { atEnd, attributesOf, escaped, inSize } from './places.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

/** Namespaces of written properties, by ExifTool's group. */
const NAMESPACES: Readonly<Record<string, string>> = {
  'XMP-acdsee': 'http://ns.acdsee.com/iptc/1.0/',
  'XMP-album': 'http://ns.adobe.com/album/1.0/',
  'XMP-dc': 'http://purl.org/dc/elements/1.1/',
  'XMP-digiKam': 'http://www.digikam.org/ns/1.0/',
  'XMP-exif': 'http://ns.adobe.com/exif/1.0/',
  'XMP-exifEX': 'http://cipa.jp/exif/1.0/',
  'XMP-expressionmedia': 'http://ns.microsoft.com/expressionmedia/1.0/',
  'XMP-iptcExt': 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  'XMP-lr': 'http://ns.adobe.com/lightroom/1.0/',
  'XMP-mediapro': 'http://ns.iview-multimedia.com/mediapro/1.0/',
  'XMP-microsoft': 'http://ns.microsoft.com/photo/1.0/',
  'XMP-pdf': 'http://ns.adobe.com/pdf/1.3/',
  'XMP-photoshop': 'http://ns.adobe.com/photoshop/1.0/',
  'XMP-tiff': 'http://ns.adobe.com/tiff/1.0/',
  'XMP-prism': 'http://prismstandard.org/namespaces/basic/2.0/',
  'XMP-xmp': 'http://ns.adobe.com/xap/1.0/',
}

/** The form of a property: one value by language, an unordered or ordered list, or a text. */
type Form = 'Alt' | 'Bag' | 'Seq' | 'text'

/** Properties that can be added to a packet, with their names in XML. */
const ADDED: Readonly<Record<string, { name: string; form: Form }>> = {
  'XMP-dc:Title': { name: 'dc:title', form: 'Alt' },
  'XMP-dc:Description': { name: 'dc:description', form: 'Alt' },
  'XMP-dc:Rights': { name: 'dc:rights', form: 'Alt' },
  'XMP-dc:Subject': { name: 'dc:subject', form: 'Bag' },
  'XMP-photoshop:Headline': { name: 'photoshop:Headline', form: 'text' },
}

/** The values of a property, with their languages if it has them. No values remove the property. */
interface Property {
  /** ExifTool's tag, without a language. */
  tag: string
  values: { language: string; text: string }[]
}

/** A packet, and the descriptions that hold its properties. */
interface Packet {
  xml: string
  descriptions: readonly XmlElement[]
  /** The description that properties are added to. */
  home: XmlElement
}

/**
 * Writes properties into an XMP packet (ISO 16684-1). All other text stays as it is, prefixes and order included. Adds properties to the
 * first description: Android's reader doesn't recognise a motion photo if any description lacks the mark (Media3's
 * XmpMotionPhotoDescriptionParser).
 * @throws ToolFailed if the packet can't be read, or contains the size of the image
 */
export function writePacket(xml: string, assigned: readonly Assignment[]): string {
  const packet = parse(xml)
  const written = propertiesOf(assigned).map((property) => writeProperty(packet, property))
  const added = written.map(({ text }) => text).join('')
  const cuts = written.flatMap(({ cuts }) => cuts)
  return inSize(xml, splice(xml, added === '' ? cuts : [...cuts, atEnd(xml, packet.home, added)]))
}

function parse(xml: string): Packet {
  const root = rootOf(xml)
  const rdf = root && [root, ...elementsOf(root)].find((element) => isNamed(element, RDF, 'RDF'))
  if (!rdf) throw new ToolFailed('the XMP has no RDF')
  if (withDescendants(rdf).some(isSizedPrimary)) throw new ToolFailed('the container says the size of its image, which metadata changes')
  const descriptions = elementsOf(rdf).filter((element) => isNamed(element, RDF, 'Description'))
  const [home] = descriptions
  if (!home) throw new ToolFailed('the XMP describes nothing')
  return { xml, descriptions, home }
}

function rootOf(xml: string): XmlElement | null {
  try {
    return parseXml(xml, { includeOffsets: true }).root
  } catch (error) {
    throw new ToolFailed('the XMP is no XML', { cause: error })
  }
}

function withDescendants(element: XmlElement): XmlElement[] {
  const all = [element]
  for (const each of all) for (const child of elementsOf(each)) all.push(child)
  return all
}

/** Whether an element describes the container's primary image with its size in bytes. Usually it has no length, or 0. */
function isSizedPrimary(element: XmlElement): boolean {
  const said = (name: string) =>
    Object.entries(element.attributes).find(([written]) => written.endsWith(`:${name}`))?.[1] ??
    elementsOf(element).find((child) => child.name.endsWith(`:${name}`))?.text
  return said('Semantic')?.trim() === 'Primary' && Number(said('Length') ?? 0) !== 0
}

function propertiesOf(assigned: readonly Assignment[]): Property[] {
  const named = assigned.map(({ tag, values }) => {
    const [, property = tag, language = 'x-default'] = /^(XMP-\w+:\w+)-([\w-]+)$/.exec(tag) ?? []
    return { property, values: values.map((text) => ({ language, text })) }
  })
  const byProperty = Map.groupBy(named, ({ property }) => property)
  return [...byProperty].map(([tag, all]) => ({ tag, values: all.flatMap(({ values }) => values) }))
}

/** The splices that remove a property, and the text to add. */
function writeProperty({ xml, descriptions, home }: Packet, { tag, values }: Property): { cuts: Splice[]; text: string } {
  const [group = '', name = ''] = tag.split(':')
  const uri = NAMESPACES[group]
  if (!uri) throw new ToolFailed(`${tag} can't be written into a packet`)
  const elements = descriptions.flatMap(elementsOf).filter((element) => isNamed(element, uri, name))
  const attributes = descriptions.flatMap((element) =>
    attributesOf(xml, element).filter((attribute) => isQualified(element, attribute.name, uri, name)),
  )
  const cuts = [...elements, ...attributes].map(({ start, end }) => ({ start, end, text: '' }))
  if (values.length === 0) return { cuts, text: '' }
  const known = ADDED[tag] ?? { name: [...elements, ...attributes][0]?.name, form: formOf(elements) }
  if (!known.name) throw new ToolFailed(`${tag} isn't in the packet`)
  const content =
    known.form === 'text'
      ? escaped(values[0]!.text)
      : list(known.form, values, declared(home, 'rdf', RDF), known.form === 'Alt' ? keptItems(xml, elements, values) : [])
  return { cuts, text: `<${known.name}${declared(home, known.name.split(':')[0]!, uri)}>${content}</${known.name}>` }
}

function formOf(elements: readonly XmlElement[]): Form {
  const list = elements.flatMap(elementsOf).find((element) => ['Alt', 'Bag', 'Seq'].some((form) => isNamed(element, RDF, form)))
  return (list?.name.split(':')[1] as Form | undefined) ?? 'text'
}

/** The declaration of a prefix, unless it is already bound to the namespace. */
function declared(element: XmlElement, prefix: string, uri: string): string {
  return leadsTo(element, prefix, uri) ? '' : ` xmlns:${prefix}="${uri}"`
}

function list(form: Form, values: Property['values'], declaration: string, kept: readonly string[]): string {
  const items = values.map(({ language, text }) => `<rdf:li${form === 'Alt' ? ` xml:lang="${language}"` : ''}>${escaped(text)}</rdf:li>`)
  return `<rdf:${form}${declaration}>${[...items, ...kept].join('')}</rdf:${form}>`
}

/** The unchanged items in other languages. */
function keptItems(xml: string, elements: readonly XmlElement[], values: Property['values']): string[] {
  const written = new Set(values.map(({ language }) => language.toLowerCase()))
  const items = elements.flatMap(elementsOf).flatMap(elementsOf)
  const others = items.filter(({ attributes: { 'xml:lang': language } }) => language !== undefined && !written.has(language.toLowerCase()))
  return others.map(({ start, end }) => xml.slice(start, end))
}
