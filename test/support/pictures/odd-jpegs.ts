/** JPEGs as phones, cameras and old programs write them: further pictures, films and notes behind the image, many and large segments. */
import { u16, u32 } from './bytes.ts'
import { mp4 } from './films.ts'
import { images } from './images.ts'
import { quadrantImage } from './quadrants.ts'

const [APP1, APP2, APP5, APP13] = [0xe1, 0xe2, 0xe5, 0xed]

export const oddJpegs = {
  /** Two pictures; metadata that may grow lies before and behind the segment that says where the second one is. */
  'two-pictures.jpg': async () => multiPicture([], [iptc('an old caption'), xmp('')]),
  'two-pictures-metadata-first.jpg': async () => multiPicture([iptc('an old caption'), xmp('')], []),
  /** A film of a second behind the image, found by its distance from the end of the file, as Google's phones have it. */
  'motion.jpg': async () => withSegments([xmp(container(MOTION.length))], Buffer.concat([await images['plain.jpg'](), MOTION])),
  'micro-video.jpg': async () => withSegments([xmp(microVideo(MOTION.length))], Buffer.concat([await images['plain.jpg'](), MOTION])),
  /** A motion photo whose packet has room for more, and is padded behind it. */
  'padded-motion.jpg': async () => withSegments([segment(APP1, paddedPacket())], Buffer.concat([await images['plain.jpg'](), MOTION])),
  /** Samsung's trailer around the film: its directory says how many bytes before itself the film begins. */
  'samsung-motion.jpg': async () => {
    const trailer = samsungTrailer()
    return withSegments([xmp(container(trailer.length))], Buffer.concat([await images['plain.jpg'](), trailer]))
  },
  'old-samsung-motion.jpg': async () => Buffer.concat([await images['plain.jpg'](), samsungTrailer()]),
  /** Ultra HDR: a gain map behind the image, which both the container and the list of pictures know. */
  'gain-map.jpg': async () => multiPicture([xmp(gainMap(await secondPicture()))], []),
  /** A colour profile in four segments. */
  'large-profile.jpg': async () => withSegments(profile(200_000), await images['plain.jpg']()),
  /** Some 20 MB of segments before the image. */
  'large-head.jpg': async () => {
    const segments = Array.from({ length: 320 }, (_, index) => segment(APP5, Buffer.alloc(65_533, index)))
    return withSegments(segments, await images['plain.jpg']())
  },
  'fill-bytes.jpg': async () => withSegments([Buffer.alloc(7, 0xff)], await images['plain.jpg']()),
} satisfies { [name: string]: () => Promise<Buffer> }

/** JPEGs that are not as they say. */
export const brokenJpegs = {
  /** A segment that reaches past the end of the file. */
  'long-segment.jpg': async () => withSegments([Buffer.from('ffe5fff0', 'hex')], (await images['plain.jpg']()).subarray(0, 3_000)),
  /** Five million fill bytes before a marker. */
  'endless-fill.jpg': async () => withSegments([Buffer.alloc(5_000_000, 0xff)], await images['plain.jpg']()),
  /** A container that says how large its image is: more metadata would make that wrong. */
  'sized-motion.jpg': async () => withSegments([xmp(container(MOTION.length, 700))], Buffer.concat([await images['plain.jpg'](), MOTION])),
  /** XMP that is no XML: only its text says that there is a film. */
  'broken-motion.jpg': async () =>
    withSegments([xmp(`${container(MOTION.length)}<rdf:Description>`)], Buffer.concat([await images['plain.jpg'](), MOTION])),
  /** The list of pictures is longer than its segment. */
  'long-picture-list.jpg': async () => {
    const file = await multiPicture([], [])
    file.writeUInt32BE(160_000, file.indexOf('MPF\0') + 4 + 10 + 2 * 12 + 4)
    return file
  },
} satisfies { [name: string]: () => Promise<Buffer> }

const MOTION = mp4(['vide', 'soun'])

export function segment(marker: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])
}

/** Puts segments behind the first one, which says that the file is a JPEG of JFIF. */
export function withSegments(segments: readonly Buffer[], jpeg: Buffer): Buffer {
  const end = jpeg[3] === 0xe0 ? 4 + jpeg.readUInt16BE(4) : 2
  return Buffer.concat([jpeg.subarray(0, end), ...segments, jpeg.subarray(end)])
}

/** Photoshop's resources with a caption in IPTC, in Latin-1 and followed by a dataset that ExifTool does not know. */
function iptc(caption: string): Buffer {
  const dataset = (record: number, number: number, value: string) =>
    Buffer.concat([Buffer.from([0x1c, record, number]), u16(value.length), Buffer.from(value, 'latin1')])
  const data = Buffer.concat([dataset(2, 120, caption), dataset(2, 90, 'Malmö'), dataset(2, 80, 'Zoë Müller')])
  const padding = Buffer.alloc(data.length % 2)
  return segment(APP13, Buffer.concat([Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1'), u32(data.length), data, padding]))
}

export function xmp(description: string): Buffer {
  return segment(APP1, Buffer.from(XMP + packetOf(description)))
}

const XMP = 'http://ns.adobe.com/xap/1.0/\0'

function packetOf(description: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>`
}

function paddedPacket(): Buffer {
  const packet = packetOf(container(MOTION.length))
  const padding = `${' '.repeat(99)}\n`.repeat(20)
  return Buffer.from(`${XMP}<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${packet}\n${padding}<?xpacket end="w"?>`)
}

function samsungTrailer(): Buffer {
  const little = (...values: number[]) => Buffer.concat(values.map((value) => u32(value).reverse()))
  const kind = Buffer.from('0000300a', 'hex')
  const name = 'MotionPhoto_Data'
  const block = Buffer.concat([kind, little(name.length), Buffer.from(name), MOTION])
  const directory = Buffer.concat([Buffer.from('SEFH'), little(107, 1), kind, little(block.length, block.length)])
  return Buffer.concat([block, directory, little(directory.length), Buffer.from('SEFT')])
}

const item = (semantic: string, mime: string, length: number) =>
  `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="${mime}" Item:Semantic="${semantic}" Item:Length="${length}" Item:Padding="0"/></rdf:li>`

function gainMap(map: Buffer): string {
  return `<rdf:Description rdf:about="" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"><Container:Directory><rdf:Seq>${item('Primary', 'image/jpeg', 0)}${item('GainMap', 'image/jpeg', map.length)}</rdf:Seq></Container:Directory></rdf:Description>`
}

/** @param imageBytes what it says of the image itself */
export function container(filmBytes: number, imageBytes = 0): string {
  return `<rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/" GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1"><Container:Directory><rdf:Seq>${item('Primary', 'image/jpeg', imageBytes)}${item('MotionPhoto', 'video/mp4', filmBytes)}</rdf:Seq></Container:Directory></rdf:Description>`
}

function microVideo(filmBytes: number): string {
  return `<rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="${filmBytes}"/>`
}

function profile(bytes: number): Buffer[] {
  const count = Math.ceil(bytes / 60_000)
  return Array.from({ length: count }, (_, index) =>
    segment(APP2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index + 1, count]), Buffer.alloc(60_000, index + 1)])),
  )
}

const secondPicture = () => quadrantImage().jpeg({ quality: 60 }).toBuffer()

/** A JPEG with a second one behind it, as CIPA DC-007 (Multi-Picture Format) has it. */
async function multiPicture(before: readonly Buffer[], behind: readonly Buffer[]): Promise<Buffer> {
  const second = await secondPicture()
  const empty = withSegments([...before, multiPictureSegment([0, 0], [0, 0]), ...behind], await images['plain.jpg']())
  const header = empty.indexOf('MPF\0') + 4
  const list = multiPictureSegment([empty.length, 0], [second.length, empty.length - header])
  return Buffer.concat([withSegments([...before, list, ...behind], await images['plain.jpg']()), second])
}

function multiPictureSegment(...pictures: readonly (readonly [bytes: number, offset: number])[]): Buffer {
  const entry = (tag: number, type: number, count: number, value: Buffer) => Buffer.concat([u16(tag), u16(type), u32(count), value])
  const entries = [
    entry(0xb000, 7, 4, Buffer.from('0100')),
    entry(0xb001, 4, 1, u32(pictures.length)),
    entry(0xb002, 7, 16 * pictures.length, u32(8 + 2 + 3 * 12 + 4)),
  ]
  const list = pictures.map(([bytes, offset], index) => Buffer.concat([u32(index === 0 ? 0x20030000 : 0), u32(bytes), u32(offset), u32(0)]))
  return segment(APP2, Buffer.concat([Buffer.from('MPF\0MM\0*', 'latin1'), u32(8), u16(3), ...entries, u32(0), ...list]))
}
