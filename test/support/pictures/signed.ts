/** Pictures that carry Content Credentials (C2PA): a store of manifests in JUMBF boxes, here with nothing of what a signature needs. */
import { u16, u32 } from './bytes.ts'
import { images } from './images.ts'
import { withSegments } from './odd-jpegs.ts'
import { chunk, withChunks } from './png-chunk.ts'

const APP11 = 0xeb

export const signedPictures = {
  'signed.jpg': async () => {
    // ISO 19566-5: the packets of a box have its number, and count from 1.
    const packet = Buffer.concat([Buffer.from('JP'), u16(1), u32(1), store()])
    return withSegments([Buffer.concat([Buffer.from([0xff, APP11]), u16(packet.length + 2), packet])], await images['plain.jpg']())
  },
  'signed.png': async () => withChunks(await images['plain.png'](), chunk('caBX', store())),
} satisfies { [name: string]: () => Promise<Buffer> }

function store(): Buffer {
  return superbox('c2pa', 'c2pa', superbox('c2ma', 'urn:uuid:0e1b2c3d', superbox('c2cl', 'c2pa.claim', box('cbor', Buffer.from([0xa0])))))
}

function superbox(type: string, label: string, content: Buffer): Buffer {
  const uuid = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from('00110010800000aa00389b71', 'hex')])
  return box('jumb', Buffer.concat([box('jumd', Buffer.concat([uuid, Buffer.from(`\x03${label}\0`, 'latin1')])), content]))
}

function box(type: string, content: Buffer): Buffer {
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
