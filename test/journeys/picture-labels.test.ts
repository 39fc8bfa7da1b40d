import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { temporaryExifTool } from '../support/exiftool.ts'
import { quadrantImage, save } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

const COPYRIGHT = '© Zoë 日本 & <b>'
const GENERATED = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'

const pictures = {
  'labels.jpg': () => quadrantImage({ width: 1_800, height: 1_200 }).jpeg().toBuffer(),
  'labels.png': () =>
    sharp({ create: { width: 900, height: 600, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer(),
}

describe('the sizes of a picture', async () => {
  const { service } = await serviceWithAccounts()
  const { exiftool, directory } = await temporaryExifTool()
  const client = await service.client()

  /** Uploads a picture that says this of itself. */
  async function uploaded(name: keyof typeof pictures, ...options: string[]): Promise<number> {
    const path = await save(directory, name, pictures[name]())
    const { errors } = await exiftool.run(['-overwrite_original', ...options], path)
    assert.equal(errors, '')
    return Number((await uploadAndImport(client, service.demo.folder_id, await readFile(path), name)).id)
  }

  async function thumbnail(id: number, size: (typeof renditionSizes)[number]): Promise<string> {
    const query = { unique_media_id: id, return_values: ['thumbnail_url' as const], thumbnail_size: size }
    return (await client['search-media']({ query })).body.response.media[0]!.thumbnail_url!
  }

  const download = async (id: number, size: (typeof renditionSizes)[number]) =>
    (await client['get-sized-download-location']({ params: { id, size } })).body.url

  /** What ExifTool reads in the picture at an address. */
  async function saidAt(url: string) {
    const answer = await fetch(url)
    assert.equal(answer.status, 200)
    const path = await save(
      directory,
      'fetched',
      answer.arrayBuffer().then((bytes) => Buffer.from(bytes)),
    )
    const { EXIF = {}, XMP = {} } = (await exiftool.readTags(path, 'fetched')).texts
    return { exif: EXIF.Copyright, xmp: XMP.Rights, source: XMP.DigitalSourceType }
  }

  /** Every size says this in the end: as thumbnail, as preview, and as download. */
  async function assertSays(id: number, copyright: string | undefined, source: string | undefined): Promise<void> {
    const urls = await Promise.all(renditionSizes.map((size) => thumbnail(id, size)))
    for (const url of urls) {
      for (let tries = 0; (await saidAt(url)).xmp !== copyright && tries < 200; tries += 1) await sleep(50)
      assert.deepEqual(await saidAt(url), { exif: copyright, xmp: copyright, source })
    }
    const { headers } = await client['get-preview']({ params: { id } })
    assert.deepEqual(await saidAt(headers.get('location')!), { exif: copyright, xmp: copyright, source })
    for (const size of ['110px', '800px', '1600px'] as const) {
      const { exif, source: from } = await saidAt(await download(id, size))
      assert.deepEqual([exif, from], [copyright, source], size)
    }
  }

  const sources = {
    IPTC: ['-IPTC:CodedCharacterSet=UTF8', `-IPTC:CopyrightNotice=${COPYRIGHT}`],
    'IPTC and XMP': ['-IPTC:CodedCharacterSet=UTF8', `-IPTC:CopyrightNotice=${COPYRIGHT}`, `-XMP-dc:Rights=${COPYRIGHT}`],
    EXIF: [`-EXIF:Copyright=${COPYRIGHT}`],
  }
  for (const [name, options] of Object.entries(sources)) {
    test(`say the copyright of a file's ${name}, and after an edit the one of that`, async () => {
      const id = await uploaded('labels.jpg', ...options, `-XMP-iptcExt:DigitalSourceType=${GENERATED}`)
      await assertSays(id, COPYRIGHT, GENERATED)
      await client['set-copyright']({ params: { id }, body: '“Edited” © 海 📷' })
      await assertSays(id, '“Edited” © 海 📷', GENERATED)
      await client['set-copyright']({ params: { id }, body: '' })
      await assertSays(id, undefined, GENERATED)
    })
  }

  test('say it where they are PNGs, and stay as transparent as they were', async () => {
    const id = await uploaded('labels.png', ...sources.EXIF)
    await assertSays(id, COPYRIGHT, undefined)
    await client['set-copyright']({ params: { id }, body: 'Edited' })
    await assertSays(id, 'Edited', undefined)
    const picture = sharp(Buffer.from(await (await fetch(await thumbnail(id, '800px'))).arrayBuffer()))
    assert.deepEqual([(await picture.metadata()).hasAlpha, (await picture.stats()).isOpaque], [true, false])
  })

  test('keep their address when it changes, which browsers ask about again within the hour', async () => {
    const id = await uploaded('labels.jpg', ...sources.EXIF)
    const url = await thumbnail(id, '320px')
    const before = await fetch(url)
    await before.arrayBuffer()
    await client['set-copyright']({ params: { id }, body: 'Edited' })
    await assertSays(id, 'Edited', undefined)
    assert.equal(await thumbnail(id, '320px'), url)
    assert.equal(before.headers.get('cache-control'), 'private, max-age=3600')
    const again = await fetch(url, { headers: { 'if-none-match': before.headers.get('etag')! } })
    assert.equal(again.status, 200)
    await again.arrayBuffer()
    const same = await fetch(url, { headers: { 'if-none-match': again.headers.get('etag')! } })
    assert.equal(same.status, 304)
  })

  test('say nothing of a picture that says nothing', async () => {
    await assertSays(await uploaded('labels.jpg', '-EXIF:Artist=Somebody'), undefined, undefined)
  })

  test('say it behind a share link, too', async () => {
    const id = await uploaded('labels.jpg', ...sources.EXIF)
    await client['set-copyright']({ params: { id }, body: 'Edited' })
    await assertSays(id, 'Edited', undefined)
    const made = await client['create-share']({ body: { media_ids: [id], allow: { download: 'preview' } } })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const [secret, anybody] = [made.body.url!.split('/').at(-1)!, await service.client('')]
    const shown = await anybody['list-shared']({ params: { secret } })
    const downloaded = await anybody['download-shared-media']({ params: { secret, id } })
    for (const url of [shown.body.files[0]!.thumbnail_url, downloaded.body.url]) assert.equal((await saidAt(url)).exif, 'Edited')
  })

  test('are right after a bulk change, and after its undo', async () => {
    const ids = [await uploaded('labels.jpg', ...sources.EXIF), await uploaded('labels.png', ...sources.EXIF)]
    const begun = await client['change-media-in-bulk']({ body: { select: { ids }, change: { copyright: 'In bulk' } } })
    assert.ok(begun.status < 300, JSON.stringify(begun.body))
    for (const id of ids) await assertSays(id, 'In bulk', undefined)
    const undone = await client['undo-bulk']({ params: { job_id: begun.body.job_id } })
    assert.ok(undone.status < 300, JSON.stringify(undone.body))
    for (const id of ids) await assertSays(id, COPYRIGHT, undefined)
  })
})
