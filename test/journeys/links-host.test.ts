import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { temporaryExifTool } from '../support/exiftool.ts'
import { images, quadrantAt, quadrants } from '../support/pictures/index.ts'
import { emulatorLimit } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

describe('files that are published, as the public sees them', emulatorLimit('has no edges'), async () => {
  const exif = temporaryExifTool()
  const { service } = await serviceWithAccounts()
  const client = await service.client()
  const cdnFolder = service.demo.cdn_folder_id!

  const urlsOf = async (id: number): Promise<string[]> => {
    const { body } = await client['search-media']({ query: { unique_media_id: String(id), return_values: 'cdn_urls' } })
    return body.response.media[0]?.cdn_urls ?? []
  }

  /** Uploads a file and copies it into the CDN folder. @returns the file's id and its URL, once it can be fetched */
  async function publish(bytes: Buffer, name: string): Promise<{ id: number; url: string }> {
    const { id } = await uploadAndImport(client, service.demo.folder_id, bytes, name)
    await client['copy-media']({ params: { id: Number(id), folderId: cdnFolder } })
    const url = await until(async () => (await urlsOf(Number(id)))[0])
    return { id: Number(id), url }
  }

  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
  const pictureOf = async (response: Response) => {
    assert.equal(response.status, 200)
    return sharp(await bytesOf(response), { pages: -1 })
  }

  test('a picture keeps the copyright of its own EXIF where the library knows none', async () => {
    const photo = sharp(await images['plain.jpg']()).withExif({ IFD0: { Copyright: 'Anna Berg 2026', Artist: 'Told' } })
    const { url } = await publish(await photo.jpeg().toBuffer(), 'photo.jpg')
    const { exiftool, directory } = await exif
    for (const query of ['width=40', 'output_format=webp', 'output_format=png']) {
      const path = join(directory, 'picture')
      await writeFile(path, await bytesOf(await fetch(`${url}?${query}`)))
      const { EXIF = {} } = (await exiftool.readTags(path, 'picture')).texts
      assert.deepEqual([EXIF.Copyright, EXIF.Artist], ['Anna Berg 2026', undefined], query)
    }
  })

  test('a photo is there as it was uploaded, and smaller, upright, in its colours', async () => {
    const original = await images['plain.jpg']()
    const { url } = await publish(original, 'photo.jpg')
    assert.match(url, new RegExp(`/${service.demo.cdn_alias}/[0-9a-f]{32}\\.jpg$`))
    const whole = await fetch(url)
    assert.equal(whole.headers.get('content-type'), 'image/jpeg')
    assert.match(whole.headers.get('content-disposition') ?? '', /^inline/)
    assert.equal(whole.headers.get('access-control-allow-origin'), '*')
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    assert.ok((await bytesOf(whole)).equals(original))

    const small = await pictureOf(await fetch(`${url}?width=40&output_format=png&utm_source=mail`))
    const { data, info } = await small.raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual(
      { width: info.width, height: info.height },
      { width: 40, height: Math.round((quadrants.height / quadrants.width) * 40) },
    )
    const size = { width: info.width, height: info.height }
    for (const [x, y] of [0.2, 0.8].flatMap((across) =>
      [0.2, 0.8].map((down) => [Math.floor(across * info.width), Math.floor(down * info.height)]),
    )) {
      const at = (y! * info.width + x!) * info.channels
      const [found, expected] = [data.subarray(at, at + 3), quadrantAt(x!, y!, size)]
      assert.ok(
        expected.every((value, channel) => Math.abs(value - found[channel]!) < 12),
        `${[...found]} is not ${expected}`,
      )
    }
  })

  test('the extension may be left out, or wrong', async () => {
    const { url } = await publish(await images['plain.png'](), 'picture.png')
    for (const other of [url.replace(/\.png$/, ''), url.replace(/png$/, 'jpg')]) {
      const response = await fetch(other)
      assert.equal(response.headers.get('content-type'), 'image/png')
      assert.equal((await (await pictureOf(await fetch(`${other}?height=10`))).metadata()).height, 10)
      await response.arrayBuffer()
    }
  })

  test('a file that is no picture is the same with and without parameters', async () => {
    const { url } = await publish(Buffer.from('some text'), 'notes.txt')
    for (const query of ['', '?width=20', '?output_format=webp&grayscale']) {
      const response = await fetch(url + query)
      assert.equal(response.status, 200)
      assert.equal(await response.text(), 'some text')
    }
    const part = await fetch(url, { headers: { range: 'bytes=5-' } })
    assert.equal(part.status, 206)
    assert.equal(await part.text(), 'text')
  })

  test('wrong parameters are told', async () => {
    const { url } = await publish(await images['plain.jpg'](), 'photo.jpg')
    for (const query of ['width=0', 'width=-1', 'width=4097', 'height=10.5', 'width=NaN', 'output_format=tiff', 'grayscale=2']) {
      const response = await fetch(`${url}?${query}`)
      assert.equal(response.status, 400)
      const { code, errors } = (await response.json()) as { code: string; errors: { path: string }[] }
      assert.equal(code, 'invalid_input')
      assert.equal(errors[0]!.path, query.split('=')[0])
    }
  })

  test('a picture for its place: its cut, its canvas, its density, and what the client accepts', async () => {
    const { url } = await publish(await images['plain.jpg'](), 'photo.jpg')
    const sizeAt = async (query: string) => {
      const { width, height } = await (await pictureOf(await fetch(`${url}?${query}`))).metadata()
      return `${width}x${height}`
    }
    assert.equal(await sizeAt('fit=cover&width=30&height=30'), '30x30')
    assert.equal(await sizeAt('height=10&width=10&fit=pad&dpr=2'), '20x20')
    assert.equal(await sizeAt('aspect=1:2&height=20&focus=auto'), '10x20')
    assert.equal(await sizeAt('crop=0,0,0.5,0.5&aspect=1:1&width=10'), '10x10')
    for (const [accept, mime] of [
      ['image/avif,image/webp,*/*;q=0.8', 'image/avif'],
      ['image/avif;q=0,image/webp', 'image/webp'],
      ['image/*,*/*', 'image/jpeg'],
    ] as const) {
      const response = await fetch(`${url}?width=20&output_format=auto`, { headers: { accept } })
      assert.deepEqual([response.status, response.headers.get('content-type'), response.headers.get('vary')], [200, mime, 'Accept'])
      await response.arrayBuffer()
    }
  })

  test('parameters that are ignored are named, and change nothing', async () => {
    const { url } = await publish(await images['plain.jpg'](), 'photo.jpg')
    const plain = await fetch(`${url}?width=20`)
    const ignoring = await fetch(`${url}?hdr=on&width=20&aspect=0:1&background=red&utm_source=mail`)
    assert.deepEqual([ignoring.status, ignoring.headers.get('link-ignored')], [200, 'aspect, background, hdr'])
    assert.deepEqual([ignoring.headers.get('etag'), plain.headers.get('link-ignored')], [plain.headers.get('etag'), null])
    assert.ok((await bytesOf(ignoring)).equals(await bytesOf(plain)))
  })

  test('another alias, and an id that nobody gave, are 404', async () => {
    const { url } = await publish(await images['plain.jpg'](), 'photo.jpg')
    const wrong = [url.replace(`/${service.demo.cdn_alias}/`, '/somebody-elses/'), url.replace(/[0-9a-f]{32}/, '0'.repeat(32))]
    for (const each of wrong) {
      for (const query of ['', '?width=20']) assert.equal((await fetch(each + query)).status, 404)
    }
  })

  test('a file that takes the place of another shows under the same URL', async () => {
    const [before, after] = [await images['plain.jpg'](), await images['alpha.png']()]
    const { id, url } = await publish(before, 'before.jpg')
    await (await fetch(`${url}?width=20`)).arrayBuffer()
    const { id: other } = await uploadAndImport(client, service.demo.folder_id, after, 'after.png')
    const params = { company: service.demo.company_id, folder: cdnFolder }
    await client['replace-link']({ params: { ...params, old: id, new: Number(other) } })
    await until(async () => {
      const { body } = await client['get-link']({ params: { ...params, media: Number(other) } })
      return body.state === 'active' ? true : undefined
    })
    assert.ok((await bytesOf(await fetch(url))).equals(after))
    const picture = await fetch(`${url}?width=20`)
    assert.equal(picture.headers.get('content-type'), 'image/png')
    assert.equal((await (await pictureOf(picture)).metadata()).width, 20)
    assert.deepEqual(await urlsOf(Number(other)), [url])
    assert.equal((await client['get-link']({ params: { ...params, media: id } })).status, 404)
  })
})
