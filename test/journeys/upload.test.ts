import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { createExifTool } from '../../shared/tools/metadata/exiftool.ts'
import {
  bmp,
  declarations,
  dng,
  dngWithTinyPicture,
  heic,
  hostile,
  images,
  orientedJpeg,
  psdOfHugeRows,
  psds,
  taggedJpeg,
  withExtents,
} from '../support/pictures/index.ts'
import { elsewhere, emulatorLimit } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { imported, postForm, upload, uploadAndImport } from '../support/uploading.ts'

describe('uploading', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()
  const folder = service.demo.folder_id

  test('from the form to the download, byte for byte', async () => {
    const bytes = await images['plain.jpg']()
    const media = await uploadAndImport(client, folder, bytes, 'C:\\pictures\\plain picture.jpg')
    assert.equal(media.filename, 'plain picture.jpg')
    assert.equal(media.type, 'image')
    assert.equal(media.file_md5, createHash('md5').update(bytes).digest('hex'))
    assert.equal(media.uploaded_by, service.demo.user_id)
    assert.match(media.created, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const id = Number(media.id)
    assert.deepEqual((await client['get-version']({ params: { id } })).body, { version: 1 })

    const { body: location } = await client['get-download-location']({ params: { id } })
    assert.equal(location.method, 'GET')
    const download = await fetch(location.url)
    assert.deepEqual(Buffer.from(await download.arrayBuffer()), bytes)
    assert.equal(download.headers.get('content-type'), 'image/jpeg')
    const range = await fetch(location.url, { headers: { range: 'bytes=2-5' } })
    assert.equal(range.status, 206)
    assert.deepEqual(Buffer.from(await range.arrayBuffer()), bytes.subarray(2, 6))
  })

  const names = emulatorLimit('garbles names beyond ASCII in upload forms, and hands no name on to who downloads')
  test('a file keeps its name in whatever script, and is downloaded under it', names, async () => {
    const { id, filename } = await uploadAndImport(client, folder, Buffer.from('text'), 'naïve café.txt')
    assert.equal(filename, 'naïve café.txt')
    const { body: location } = await client['get-download-location']({ params: { id: Number(id) } })
    assert.equal(
      (await fetch(location.url)).headers.get('content-disposition'),
      `attachment; filename="naive cafe.txt"; filename*=UTF-8''na%C3%AFve%20caf%C3%A9.txt`,
    )
  })

  test('the URL of a download is good for five minutes, and for that file alone', elsewhere, async () => {
    const media = await uploadAndImport(client, folder, Buffer.from('text'), 'a.txt')
    const { url } = (await client['get-download-location']({ params: { id: Number(media.id) } })).body
    assert.equal((await fetch(url.replace(String(media.id), '1'))).status, 403, 'another file')
    service.advance(301)
    assert.equal((await fetch(url)).status, 403, 'five minutes later')
    service.advance(-301)
  })

  test('the form says what to send: hidden fields with values, the file last', async () => {
    const { body: form } = await client['register-upload']({ body: { folder } })
    assert.equal(form.method, 'POST')
    assert.equal(form.enctype, 'multipart/form-data')
    assert.deepEqual(form.fields.at(-1), { name: 'file', type: 'file' })
    for (const field of form.fields.slice(0, -1)) assert.ok(field.type === 'hidden' && field.value !== '', field.name)
    const key = form.fields.find(({ name }) => name === 'key')
    assert.match(key?.value ?? '', /\$\{filename\}$/)
  })

  test('with a redirectURL finalizing goes there, with the media id in its query', async () => {
    const redirectURL = 'https://client.example/done?a=1#part'
    const { body: form } = await client['register-upload']({ body: { folder, redirectURL } })
    const posted = await postForm(form, Buffer.from('text'), 'a.txt')
    assert.equal(posted.status, 303)
    const finalized = await fetch(posted.headers.get('location')!, { redirect: 'manual' })
    assert.equal(finalized.status, 302)
    const target = new URL(finalized.headers.get('location')!)
    assert.equal(target.origin + target.pathname, 'https://client.example/done')
    assert.equal(target.searchParams.get('a'), '1')
    const id = Number(target.searchParams.get('media_id'))
    assert.ok(Number.isInteger(id) && id > 0 && id < 2 ** 31)
    await imported(client, id)
    for (const wrong of ['javascript:alert(1)', 'ftp://x', '/relative', 'x'.repeat(3000)]) {
      assert.equal((await client['register-upload']({ body: { folder, redirectURL: wrong } })).status, 400, wrong)
    }
  })

  test('the query of a redirectURL stays as the client wrote it, letter by letter; a media_id of an earlier upload goes', async () => {
    for (const [query, expected] of [
      ['?flag&b=%20&sign=a%2Bb~', '?flag&b=%20&sign=a%2Bb~&media_id='],
      ['?media_id=1&a=1', '?a=1&media_id='],
      ['?', '?media_id='],
    ]) {
      const { body: form } = await client['register-upload']({ body: { folder, redirectURL: `https://client.example/done${query}#part` } })
      const posted = await postForm(form, Buffer.from('text'), 'a.txt')
      const finalized = await fetch(posted.headers.get('location')!, { redirect: 'manual' })
      const target = new URL(finalized.headers.get('location')!)
      assert.equal(target.search.replace(/\d+$/, ''), expected)
      assert.equal(target.hash, '#part')
      await imported(client, Number(target.searchParams.get('media_id')))
    }
  })

  test('finalizing again, also at the same time, gives the same file; before the post and with a forged id it fails', async () => {
    const { body: form } = await client['register-upload']({ body: { folder } })
    const redirect = form.fields.find(({ name }) => name === 'success_action_redirect')
    const finalize = redirect?.value ?? ''
    assert.equal((await fetch(finalize)).status, 409)
    await postForm(form, Buffer.from('text'), 'a.txt')
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(finalize).then((response) => response.json())))
    const ids = new Set(answers.map((answer) => (answer as { media_id: number }).media_id))
    assert.equal(ids.size, 1)
    await imported(client, [...ids][0]!)
    assert.equal((await fetch(finalize.replace(/.{4}$/, 'AAAA'))).status, 404)
    const { body } = await client['search-media']({ query: { unique_media_id: [...ids][0]!, return_values: 'unique_media_id' } })
    assert.equal(body.response.hits, 1)
  })

  test('an upload to a folder that was deleted meanwhile ends with a clear error', async () => {
    const { body: doomed } = await client['create-folder']({ body: { name: 'Doomed' } })
    const { body: form } = await client['register-upload']({ body: { folder: doomed.id } })
    const posted = await postForm(form, Buffer.from('text'), 'a.txt')
    await client['delete-folder']({ params: { id: doomed.id } })
    const finalized = await fetch(posted.headers.get('location')!)
    assert.equal(finalized.status, 404)
    assert.equal(((await finalized.json()) as { code: string }).code, 'folder_not_found')
  })

  test('a right withdrawn after registering is gone when the upload is finalized', async () => {
    const uploader = await accounts.user()
    await accounts.grant(folder, uploader.userId, ['WRITE'])
    const theirs = await service.client(uploader.authorization)
    const { body: form } = await theirs['register-upload']({ body: { folder, redirectURL: null } })
    await accounts.grant(folder, uploader.userId, ['READ'])
    const posted = await postForm(form, Buffer.from('text'), 'a.txt')
    assert.equal((await fetch(posted.headers.get('location')!)).status, 403)
    await accounts.grant(folder, uploader.userId, ['WRITE'])
    assert.equal((await fetch(posted.headers.get('location')!)).status, 200)
  })

  test('uploaders follow their own upload; what else they may do with it, and with other files, their other rights say', async () => {
    const uploader = await person()
    const { client: theirs } = uploader
    assert.equal((await theirs['register-upload']({ body: { folder } })).status, 404)
    const { id: other } = await uploadAndImport(client, folder, Buffer.from('other'), 'other.txt')
    for (const [rights, reads, downloads, edits, removes] of [
      [['UPLOAD'], 403, 403, 403, 403],
      [['READ', 'UPLOAD'], 200, 200, 403, 403],
      [['WRITE'], 403, 403, 200, 200],
    ] as const) {
      await accounts.grant(folder, uploader.userId, [...rights])
      const id = await upload(theirs, folder, await images['plain.png'](), 'mine.png')
      await imported(theirs, id)
      const answers = [
        await theirs['get-media']({ params: { id: other } }),
        await theirs['get-download-location']({ params: { id } }),
        await theirs['set-title']({ params: { id }, body: { en: 'x' } }),
        await theirs['create-folder']({ body: { name: 'x', parent: folder } }),
        await theirs['remove-media']({ params: { id, folderId: folder } }),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [reads, downloads, edits, 403, removes],
        rights.join(),
      )
    }
    await accounts.grant(folder, uploader.userId, ['READ'])
    assert.equal((await theirs['register-upload']({ body: { folder } })).status, 403)
  })

  test('metadata is taken from the file, in Latin-1 and UTF-8, first source first', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tagged-'))
    const exiftool = createExifTool()
    try {
      const read = async (name: Parameters<typeof taggedJpeg>[2]) => {
        const path = await taggedJpeg(exiftool, directory, name)
        return uploadAndImport(client, folder, await readFile(path), name)
      }
      const latin1 = await read('iptc-latin1.jpg')
      assert.deepEqual(latin1.metadata.title, { en: 'Fjällräven café' })
      assert.deepEqual(latin1.metadata.keywords, { en: ['sjö', 'blåbär'] })
      assert.deepEqual(latin1.metadata.description, { en: 'Över sjön' })
      assert.equal(latin1.copyright, '© Zoë Müller')
      assert.equal(latin1.byline, 'Zoë Müller')
      assert.equal(latin1.metadata.iptc?.Headline, 'Fjällräven café')
      const utf8 = await read('iptc-utf8.jpg')
      assert.deepEqual(utf8.metadata.title, { en: 'Øresund 海峡' })
      const numbers = await read('numbers.jpg')
      assert.deepEqual(numbers.metadata.title, { en: '2.50' })
      assert.deepEqual(numbers.metadata.keywords, { en: ['007', '1e3'] })
      const gps = await read('gps-south-west.jpg')
      assert.deepEqual(Object.keys(gps.metadata.geolocation ?? {}).sort(), ['latitude', 'longitude', 'source'])
      assert.ok(Math.abs(Number(gps.metadata.geolocation?.latitude) + 33.8688) < 1e-4)
      assert.equal(gps.metadata.camera_created, Date.UTC(2021, 6, 1, 16, 30) / 1000)
      const { metadata: xmp } = await read('xmp-alone.jpg')
      assert.deepEqual(xmp.keywords, { en: ['sea', 'båt'] })
      assert.deepEqual(xmp.geolocation, { source: 'xmp', longitude: '-12.575', latitude: '55.675' })
      assert.equal(xmp.camera_created, undefined)
      const { body: tags } = await client['get-tags']({ params: { id: Number(numbers.id) } })
      assert.ok(!Array.isArray(tags) && 'IPTC' in tags && !('SourceFile' in tags))
      assert.doesNotMatch(JSON.stringify(tags), /"Directory"|FilePermissions|\/tmp\//)
    } finally {
      await exiftool.close()
      await rm(directory, { recursive: true, force: true })
    }
  })

  test('renditions are upright and have the size asked for, never more than the original', async () => {
    const media = await uploadAndImport(client, folder, await orientedJpeg(6), 'turned.jpg')
    assert.deepEqual([media.width, media.height], [48, 64].includes(media.width ?? 0) ? [media.width, media.height] : [])
    const large = await sharp({ create: { width: 900, height: 600, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer()
    const { id } = await uploadAndImport(client, folder, large, 'large.png')
    for (const [size, width] of [
      ['110px', 110],
      ['480px', 480],
      ['1600px', 900],
    ] as const) {
      const { body } = await client['get-sized-download-location']({ params: { id: Number(id), size } })
      const picture = sharp(Buffer.from(await (await fetch(body.url)).arrayBuffer()))
      const { width: actual, hasAlpha } = await picture.metadata()
      assert.deepEqual([actual, hasAlpha], [width, true], size)
    }
    assert.equal((await client['get-sized-download-location']({ params: { id: Number(id), size: '300px' } })).status, 400)
  })

  const foreign = {
    'phone.heic': async () => heic(),
    'layers.psd': async () => psds['rgb.psd'](),
    'scan.bmp': async () => bmp(24),
    'raw.dng': async () => dng(await images['plain.jpg'](), 1),
  }
  for (const [name, make] of Object.entries(foreign)) {
    test(`${name}, which browsers don't show, has a rendition that they do`, async () => {
      const { id, type } = await uploadAndImport(client, folder, await make(), name)
      assert.equal(type, 'image')
      const { status, body } = await client['get-sized-download-location']({ params: { id: Number(id), size: '110px' } })
      assert.equal(status, 200)
      const { format } = await sharp(Buffer.from(await (await fetch(body.url)).arrayBuffer())).metadata()
      assert.match(format ?? '', /^(jpeg|png)$/)
    })
  }

  test('a file that is no image gets the generic picture of 93x119', async () => {
    const { id, type } = await uploadAndImport(client, folder, Buffer.from('just text'), 'notes.txt')
    assert.equal(type, 'generic')
    const { body } = await client['search-media']({
      query: { unique_media_id: Number(id), return_values: 'thumbnail_url', thumbnail_size: '1600px' },
    })
    const picture = sharp(Buffer.from(await (await fetch(body.response.media[0]!.thumbnail_url!)).arrayBuffer()))
    const { width, height } = await picture.metadata()
    assert.deepEqual([width, height], [93, 119])
    const preview = await client['get-preview']({ params: { id: Number(id) } })
    assert.equal(preview.status, 302)
    assert.equal((await fetch(preview.headers.get('location')!)).status, 200)
    const sized = await client['get-sized-download-location']({ params: { id: Number(id), size: '320px' } })
    assert.deepEqual([sized.status, (sized.body as unknown as { code: string }).code], [404, 'rendition_not_found'])
  })

  const stumblingBlocks = {
    ...declarations,
    'huge.heic': async () => withExtents(heic(), 60_000),
    'tiny-preview.dng': async () => dngWithTinyPicture(),
    'huge-rows.psb': async () => psdOfHugeRows(),
  }
  for (const [name, make] of Object.entries({ ...hostile, ...stumblingBlocks })) {
    test(`${name} ends as an available file and harms nothing`, async () => {
      const bytes = await make()
      const media = await uploadAndImport(client, folder, bytes, name)
      assert.equal(media.file_md5, createHash('md5').update(bytes).digest('hex'))
      assert.equal(media.file_disksize, bytes.length)
      const bomb = /bomb\.(png|gif|jpg)$/.test(name) && name !== 'text-bomb.png'
      if (bomb || name in stumblingBlocks || name === 'empty.jpg' || name === 'noise.jpg') assert.equal(media.type, 'generic')
      const { status, body } = await client['get-tags']({ params: { id: Number(media.id) } })
      assert.equal(status, 200)
      assert.doesNotMatch(JSON.stringify(body), /root:/, 'no file of the machine leaks')
    })
  }
})
