import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, it } from 'vitest'
import type { Sniffed } from '../../shared/tools/sniffing/sniffed.ts'
import { sniff } from '../../shared/tools/sniffing.ts'
import { bmp, digitalVideo, dng, heic, hostile, images, matroska, mp4, psds, save } from '../support/pictures/index.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const directory = temporaryDirectory(afterAll)
let files = 0
/** More than a sample, also when it is compressed. */
const noise = randomBytes(200_000).toString('base64')

async function kindOf(bytes: Buffer | string | Promise<Buffer>, name = `${files++}`): Promise<Sniffed> {
  return await sniff(await save(directory, name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
}

async function assertKinds(kind: Sniffed['kind'], cases: { [mime: string]: (Buffer | string | Promise<Buffer>)[] }): Promise<void> {
  for (const [mime, contents] of Object.entries(cases)) {
    for (const content of contents) {
      const sniffed = await kindOf(content)
      assert.deepEqual({ kind: sniffed.kind, mime: sniffed.mime }, { kind, mime })
    }
  }
}

describe('sniffing', () => {
  it('knows pictures', async () => {
    await assertKinds('image', {
      'image/jpeg': [images['plain.jpg'](), images['cmyk.jpg']()],
      'image/png': [images['deep.png'](), images['palette.png']()],
      'image/gif': [images['animated.gif']()],
      'image/webp': [images['animated.webp'](), images['alpha.webp']()],
      'image/tiff': [images['plain.tif']()],
      'image/avif': [images['plain.avif']()],
      'image/heic': [heic()],
      'image/bmp': [bmp(24)],
      'image/vnd.adobe.photoshop': [psds['rgb.psd'](), psds['large.psb']()],
      'image/x-adobe-dng': [dng(await images['plain.jpg'](), 1)],
    })
  })

  it('knows vector graphics', async () => {
    await assertKinds('vector', {
      'image/svg+xml': [
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n<svg:svg/>',
        Buffer.from('\ufeff<svg></svg>', 'utf16le'),
        hostile['entities.svg'](),
        gzipSync('<?xml version="1.0"?><svg/>'),
        gzipSync(`<svg><!--${noise}--></svg>`),
        gzipSync(`<svg>${' '.repeat(20_000_000)}</svg>`),
      ],
      'application/eps': ['%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n', Buffer.from('c5d0d3c61e000000', 'hex')],
      'application/illustrator': [
        '%!PS-Adobe-3.0 \r%%Creator: Adobe Illustrator(R) 8.0\r',
        '%PDF-1.6\n1 0 obj\n<</AIMetaData 5 0 R/AIPrivateData1 6 0 R>>\nendobj\n',
        `%PDF-1.6\n${'x'.repeat(200_000)}\n<</AIPDFPrivateData1 6 0 R>>`,
      ],
    })
  })

  it('knows films', async () => {
    await assertKinds('video', {
      'video/mp4': [mp4(['soun', 'vide'])],
      'video/quicktime': [mp4(['vide'], 'qt  ')],
      'video/x-matroska': [matroska([2, 1])],
      'video/webm': [matroska([1], 'webm')],
      'video/x-dv': [digitalVideo(0x3f), digitalVideo(0xbf)],
    })
  })

  it('takes for raw digital video only what begins with the blocks of a frame', async () => {
    const frame = digitalVideo(0xbf)
    assert.equal((await kindOf(frame.subarray(0, 500))).kind, 'generic', 'cut off')
    assert.equal((await kindOf(Buffer.concat([frame.subarray(0, 4), Buffer.alloc(1_000)]))).kind, 'generic', 'the first bytes alone')
  })

  it('knows a PDF whose header stands within the first 1,024 bytes, behind whatever no format begins with', async () => {
    const pdf = '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
    await assertKinds('generic', {
      'application/pdf': [
        ...['\ufeff', '\r\n \n', 'HTTP/1.1 200 OK\r\n\r\n', '\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n', 'x'.repeat(1_023)].map(
          (before) => before + pdf,
        ),
        Buffer.concat([Buffer.alloc(128), Buffer.from(pdf)]),
        Buffer.concat([Buffer.from('0008f6ff', 'hex'), Buffer.from(pdf)]),
      ],
      'text/plain': ['x'.repeat(1_024) + pdf, 'It begins with %PDF-1.4\nand goes on with objects.'],
      'text/html': [`<html><pre>\n${pdf}</pre></html>`],
    })
    await assertKinds('vector', {
      'application/illustrator': [
        `\ufeff%PDF-1.6\n1 0 obj\n<</AIPrivateData1 6 0 R>>\n`,
        `junk\n%PDF-1.6\n1 0 obj\n<</AIPrivateData1 6 0 R>>\n`,
      ],
      'application/eps': ['\x04%!PS-Adobe-3.0 EPSF-3.0\n', '\ufeff%!PS-Adobe-3.0 EPSF-3.0\n'],
    })
  })

  it('takes everything else for generic', async () => {
    await assertKinds('generic', {
      'application/pdf': ['%PDF-1.4\n%âãÏÓ\n<</Creator (Adobe Illustrator 27.0)>>'],
      'application/postscript': ['%!PS-Adobe-3.0\n'],
      'text/plain': ['Hello', '{"a": 1}', Buffer.from('Fj\xe4llr\xe4ven', 'latin1'), `${'é'.repeat(40_000)}`, ' '],
      'text/html': ['<!doctype html><title>x</title>', '<!-- x --><HTML><svg/></HTML>'],
      'application/xml': ['<?xml version="1.0"?><rss/>'],
      'application/gzip': [gzipSync('<html/>'), gzipSync('some text'), gzipSync('<svg/>').subarray(0, 12)],
      'application/octet-stream': [Buffer.alloc(0), Buffer.from([0]), Buffer.from('0001020304050607', 'hex'), deflateRawSync('x')],
      'audio/mpeg': [Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'), Buffer.from('fffb9064', 'hex'), Buffer.alloc(1_000)])],
    })
  })

  it('goes by the first bytes of a file that is several things', async () => {
    assert.equal((await kindOf(hostile['jpeg-and-zip.jpg']())).mime, 'image/jpeg')
    assert.equal((await kindOf(hostile['gif-and-jar.gif']())).mime, 'image/gif')
    assert.equal((await kindOf(hostile['pdf-and-jpeg.pdf']())).mime, 'application/pdf')
    assert.equal((await kindOf(hostile['page-in-comment.jpg']())).mime, 'image/jpeg')
  })

  it('pays no attention to the name', async () => {
    assert.equal((await kindOf('Hello', 'photo.jpg')).mime, 'text/plain')
    assert.equal((await kindOf(images['plain.png'](), 'notes.txt')).extension, 'png')
  })

  it('answers for any bytes', async () => {
    const starts = [mp4(['soun']), matroska([2]), psds['rgb.psd'](), Buffer.from('<svg><!--'), Buffer.from('%PDF-'), Buffer.from('RIFF')]
    const contents = fc.tuple(fc.constantFrom(Buffer.alloc(0), ...starts), fc.nat(120), fc.uint8Array({ maxLength: 300 }))
    await fc.assert(
      fc.asyncProperty(contents, async ([start, kept, rest]) => {
        const { mime, extension } = await kindOf(Buffer.concat([start.subarray(0, kept), rest]), 'any')
        assert.match(mime, /^[a-z]+\/[a-z0-9.+-]+$/)
        assert.match(extension, /^[a-z0-9.]+$/)
      }),
      { numRuns: 100 },
    )
  })
})
