import { u16, u32 } from './bytes.ts'

/** An MP4 file that contains only the list of its tracks. */
export function mp4(tracks: ('vide' | 'soun')[], brand = 'isom'): Buffer {
  const handler = (type: string) => box('hdlr', Buffer.concat([u32(0), u32(0), Buffer.from(type, 'latin1'), Buffer.alloc(13)]))
  const trak = tracks.map((type) => box('trak', box('mdia', handler(type))))
  // The movie box follows the data, as cameras write it.
  return Buffer.concat([
    box('ftyp', Buffer.concat([Buffer.from(brand, 'latin1'), u32(0)])),
    box('mdat', Buffer.alloc(1_000)),
    box('moov', Buffer.concat(trak)),
  ])
}

/** A Matroska file that contains only the list of its tracks (1 pictures, 2 sound). */
export function matroska(tracks: (1 | 2)[], type = 'matroska'): Buffer {
  const entries = tracks.map((track) => element('ae', element('83', Buffer.from([track]))))
  const head = element('1a45dfa3', element('4282', Buffer.from(type)))
  return Buffer.concat([
    head,
    element('18538067', Buffer.concat([element('1654ae6b', Buffer.concat(entries)), element('1f43b675', Buffer.alloc(50))])),
  ])
}

/**
 * The first blocks of a frame of raw digital video (IEC 61834-2): each begins with its section (header, subcode, VAUX, sound, pictures) in three bits.
 * @param lines `0x3f` for 525, `0xbf` for 625
 */
export function digitalVideo(lines: 0x3f | 0xbf): Buffer {
  const blocks = [0x1f, 0x3f, 0x3f, 0x56, 0x56, 0x56, 0x76, 0x96].map((section, block) => {
    return Buffer.concat([Buffer.from([section, 0x07, 0x00, block === 0 ? lines : 0xff]), Buffer.alloc(76, 0xff)])
  })
  return Buffer.concat(blocks)
}

function box(type: string, contents: Buffer): Buffer {
  return Buffer.concat([u32(contents.length + 8), Buffer.from(type, 'latin1'), contents])
}

function element(id: string, contents: Buffer): Buffer {
  return Buffer.concat([Buffer.from(id, 'hex'), u16(0x4000 | contents.length), contents])
}
