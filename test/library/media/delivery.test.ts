import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { cloudFrontUrls } from '../../../shared/backends/edge/cloudfront.ts'
import { attachment, inline, pictureUrl, previewName, sizedName } from '../../../shared/library/media/delivery.ts'
import { signingSecrets } from '../../backends/edge/signing-keys.ts'

test('a download carries an ASCII name for old clients and the real one', () => {
  assert.equal(attachment('plain.jpg'), `attachment; filename="plain.jpg"; filename*=UTF-8''plain.jpg`)
  assert.equal(attachment('Blåbær (2).jpg'), `attachment; filename="Blab_r (2).jpg"; filename*=UTF-8''Bl%C3%A5b%C3%A6r%20%282%29.jpg`)
})

test.each([
  ['Portrait v1.2 final', 'jpg', 'Portrait v1.2 final'],
  ['Portrait v1.2', 'jpg', 'Portrait v1.2'],
  ['St.Gallen', 'jpg', 'St.Gallen'],
  ['Portrait v1.2 final.JPEG', 'jpg', 'Portrait v1.2 final'],
  ['a.tar.tiff', 'tif', 'a.tar'],
  ['scan.xyz', 'xyz', 'scan'],
  ['boat.jpg', 'png', 'boat'],
])('a size and a preview of %j are named after it, without its extension alone', (filename, extension, stem) => {
  assert.equal(sizedName({ filename, extension }, '800px', { mime: 'image/jpeg' }), `${stem}_800px.jpg`)
  assert.equal(sizedName({ filename, extension }, '320px', { mime: 'image/png' }), `${stem}_320px.png`)
  assert.equal(previewName({ filename, extension }), `${stem}_preview.mp4`)
})

test('no filename breaks out of the header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (filename) => {
      const match = /^attachment; filename="([ !#$&-[\]-~]*)"; filename\*=UTF-8''([\w.!~%-]*)$/.exec(attachment(filename))
      assert.ok(match, attachment(filename))
      assert.equal(decodeURIComponent(match[2]!), filename.toWellFormed())
    }),
  )
})

test.each([
  ['of a script that takes nine bytes a character', '写'.repeat(251)],
  ['of signs that take twelve', '📷'.repeat(125)],
  ['of signs that count as two', `${'📷'.repeat(125)}x`],
  ['of a letter that becomes eighteen in ASCII', 'ﷺ'.repeat(251)],
])('the name %s is cut so that S3 takes it as a label of an object, and keeps its extension', (_, stem) => {
  const label = inline(`${stem}.jpg`)
  const [, ascii = '', encoded = ''] = /^inline; filename="([^"]*)"; filename\*=UTF-8''(.*)$/.exec(label) ?? []
  // 2 KB for Content-Disposition with Content-Type and Cache-Control, and their names.
  assert.ok(Buffer.byteLength(label) <= 1_700, `${label.length} bytes`)
  assert.match(ascii, /\.jpg$/)
  const name = decodeURIComponent(encoded)
  assert.ok(name.endsWith('.jpg') && stem.startsWith(name.slice(0, -4)) && name.length > 50)
})

test('URLs of a picture are good for a day and at most an hour more, and are the same for an hour', () => {
  const day = 86_400_000
  const expiresAt = async (now: number) =>
    Number(await pictureUrl({ urls: { sign: async (_, { expires }) => `${expires}` }, clock: { ...systemClock, now: () => now } }))
  return fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: day }), async (now, later) => {
      const expires = await expiresAt(now)
      assert.ok(expires >= now + day && expires < now + day + 3_600_000, `${expires - now}`)
      assert.equal(expires % 1_000, 0, 'no part of it is cut off')
      assert.equal((await expiresAt(now + later)) === expires, now + later + day <= expires)
    }),
  )
})

test('functions that sign a picture within the same hour give it the same URL', async () => {
  const { secrets } = signingSecrets()
  const signedAt = (now: number) => {
    const urls = cloudFrontUrls({ baseUrl: 'https://d111.cloudfront.net', keyPairId: 'K123', secrets })
    return pictureUrl({ urls, clock: { ...systemClock, now: () => now } }, 'media/1/320px.jpg')
  }
  assert.equal(await signedAt(1_700_000_000_000), await signedAt(1_700_000_600_000))
})
