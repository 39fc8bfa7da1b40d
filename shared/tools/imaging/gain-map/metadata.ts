import { APP1, APP2, type Segment, segmentOf } from '../jpeg-segments.ts'

/** How a gain map is applied, as its segments: the numbers are those of the original, nothing else of it is. Both forms may be there. */
export interface GainMapMetadata {
  /** Data of ISO 21496-1's segment. */
  iso?: Buffer
  /** Properties of Adobe's and Android's XMP. */
  xmp?: ReadonlyMap<string, readonly string[]>
}

const ISO = Buffer.from('urn:iso:std:iso:ts:21496:-1\0')
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0')
const NAMESPACE = 'http://ns.adobe.com/hdr-gain-map/1.0/'

/** Versions, flags, two headrooms, and five fractions of each of three channels. */
const MAX_ISO_BYTES = 4 + 1 + 16 + 3 * 40

/** @param segments of a picture that may be a gain map. @returns undefined where it is none */
export function gainMapMetadata(segments: readonly Segment[]): GainMapMetadata | undefined {
  const iso = segments.find(({ marker, data }) => marker === APP2 && isOf(data, ISO) && isWholeIso(data.length - ISO.length))?.data
  const packet = segments.find(({ marker, data }) => marker === APP1 && isOf(data, XMP))?.data
  const xmp = packet && propertiesIn(packet.toString('utf8', XMP.length))
  return iso || xmp ? { ...(iso && { iso }), ...(xmp && { xmp }) } : undefined
}

const isOf = (data: Buffer, name: Buffer): boolean => data.subarray(0, name.length).equals(name)
/** That of the base picture has a version alone. */
const isWholeIso = (bytes: number): boolean => bytes > 4 && bytes <= MAX_ISO_BYTES

const names = ['GainMapMin', 'GainMapMax', 'Gamma', 'OffsetSDR', 'OffsetHDR', 'HDRCapacityMin', 'HDRCapacityMax'] as const
/** The standard has no defaults of them. */
const required = ['GainMapMax', 'HDRCapacityMax'] as const
const NUMBER = String.raw`-?\d{1,12}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?`

/** The numbers of a packet, each one or one a channel. @returns undefined where the needed ones are missing, or the picture itself is the brighter one */
function propertiesIn(packet: string): Map<string, string[]> | undefined {
  const prefix = new RegExp(`xmlns:([A-Za-z_][\\w.-]{0,30})\\s*=\\s*["']${NAMESPACE}["']`).exec(packet)?.[1]
  if (!prefix || new RegExp(`${prefix}:BaseRenditionIsHDR(?:\\s*=\\s*["']|>)\\s*true`, 'i').test(packet)) return undefined
  const found = new Map<string, string[]>()
  for (const name of names) {
    const one = new RegExp(`${prefix}:${name}\\s*(?:=\\s*["']|>)\\s*(${NUMBER})\\s*["'<]`).exec(packet)?.[1]
    const values = one === undefined ? perChannel(packet, `${prefix}:${name}`) : [one]
    if (values) found.set(name, values)
  }
  return required.every((name) => found.has(name)) ? found : undefined
}

function perChannel(packet: string, name: string): string[] | undefined {
  const start = packet.indexOf(`<${name}>`)
  const end = packet.indexOf(`</${name}>`, start)
  if (start < 0 || end < 0 || end - start > 1_000) return undefined
  const values = [...packet.slice(start, end).matchAll(new RegExp(`<rdf:li>\\s*(${NUMBER})\\s*</rdf:li>`, 'g'))].map(([, value]) => value!)
  return values.length === 3 ? values : undefined
}

/** Segments of the gain map. */
export function mapSegments({ iso, xmp }: GainMapMetadata): Buffer[] {
  const properties = [...(xmp ?? [])]
  // Decoders of Ultra HDR read attributes; there are no attributes of several numbers.
  const attributes = properties.flatMap(([name, values]) => (values.length === 1 ? [` hdrgm:${name}="${values[0]}"`] : []))
  const elements = properties.flatMap(([name, values]) => {
    const each = values.map((value) => `<rdf:li>${value}</rdf:li>`).join('')
    return values.length > 1 ? [`<hdrgm:${name}><rdf:Seq>${each}</rdf:Seq></hdrgm:${name}>`] : []
  })
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:hdrgm="${NAMESPACE}" hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="False"${attributes.join('')}>${elements.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>`
  return [...(xmp ? [segmentOf(APP1, Buffer.concat([XMP, Buffer.from(packet)]))] : []), ...(iso ? [segmentOf(APP2, iso)] : [])]
}

/** Segments of the picture that has the gain map, without its XMP. */
export function baseSegments({ iso }: GainMapMetadata): Buffer[] {
  return iso ? [segmentOf(APP2, Buffer.concat([ISO, iso.subarray(ISO.length, ISO.length + 4)]))] : []
}

/** What the picture's XMP says of the gain map. @param bytes of the gain map */
export function baseXmp({ xmp }: GainMapMetadata, bytes: number): string {
  if (!xmp) return ''
  const item = (semantic: string, more = '') =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="image/jpeg"${more}/></rdf:li>`
  return `<rdf:Description rdf:about="" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/" xmlns:hdrgm="${NAMESPACE}" hdrgm:Version="1.0"><Container:Directory><rdf:Seq>${item('Primary')}${item('GainMap', ` Item:Length="${bytes}"`)}</rdf:Seq></Container:Directory></rdf:Description>`
}
