import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { runJson } from '../infra/admin/run-command.ts'
import { temporaryExifTool } from '../support/exiftool.ts'
import { dataset, images, jpegWithIptc, oddJpegs, oddPngs } from '../support/pictures/index.ts'
import { elsewhere, emulator, emulatorLimit } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { uploadAndImport } from '../support/uploading.ts'

type Client = Person['client']

const known = {
  title: 'Øresund bridge',
  copyright: '© Zoë Müller',
  description: '-from the east\n@ evening # 海 😀',
  keywords: ['bridge', 'sjö', '海'],
}

describe('downloads', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const { exiftool, directory } = await temporaryExifTool()
  const client = await service.client()
  let files = 0

  const uploaded = async (bytes: Uint8Array, name: string) =>
    Number((await uploadAndImport(client, service.demo.folder_id, bytes, name)).id)

  async function describeAll(id: number): Promise<void> {
    const params = { id }
    const { title, copyright, description, keywords } = known
    await client['replace-metadata']({
      params,
      body: { title: { en: title }, description: { en: description }, keywords: { en: keywords } },
    })
    await client['set-copyright']({ params, body: copyright })
  }

  async function location(id: number, by: Client = client) {
    const answer = await by['get-download-location']({ params: { id } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  async function fetched(url: string): Promise<Buffer> {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }

  /** What a file says in the fields that downloads carry, as ExifTool reads them. */
  async function saidBy(bytes: Buffer) {
    const path = join(directory, `download-${files++}`)
    await writeFile(path, bytes)
    const { XMP = {}, IPTC = {}, EXIF = {} } = (await exiftool.readTags(path, 'download')).texts
    return {
      title: XMP.Title,
      copyright: [EXIF.Copyright, IPTC.CopyrightNotice],
      description: IPTC['Caption-Abstract'],
      keywords: [IPTC.Keywords, XMP.Subject],
    }
  }

  const carried = {
    title: known.title,
    copyright: [known.copyright, known.copyright],
    description: known.description,
    keywords: [known.keywords, known.keywords],
  }
  const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()

  const { 'plain.jpg': jpeg, 'plain.png': png, 'plain.tif': tiff } = images
  test.each(Object.entries({ 'plain.jpg': jpeg, 'plain.png': png, 'plain.tif': tiff, 'animated.png': oddPngs['animated.png'] }))(
    '%s carries what the library knows after an edit, and keeps its pixels',
    async (name, picture) => {
      const original = await picture()
      const id = await uploaded(original, name)
      assert.deepEqual(await fetched((await location(id)).url), original, 'nothing is known of it yet')
      await describeAll(id)
      const answer = await location(id)
      assert.deepEqual(Object.keys(answer), ['method', 'url', 'internal_elb_url'])
      const download = await fetched(answer.url)
      assert.deepEqual(await saidBy(download), carried)
      assert.deepEqual(await pixels(download), await pixels(original))
    },
  )

  test('a field that is emptied leaves the file, and the others stay', async () => {
    const id = await uploaded(await images['plain.jpg'](), 'emptied.jpg')
    await describeAll(id)
    const again = await uploaded(await fetched((await location(id)).url), 'again.jpg')
    const params = { id: again }
    assert.deepEqual((await client['get-media']({ params })).body.metadata.title, { en: known.title }, 'it was imported with them')
    await client['set-title']({ params, body: {} })
    await client['set-copyright']({ params, body: '' })
    await client['delete-keywords']({ params })
    const said = await saidBy(await fetched((await location(again)).url))
    const nothing = [undefined, undefined]
    assert.deepEqual(said, { title: undefined, copyright: nothing, description: known.description, keywords: nothing })
  })

  test('texts of IPTC whose character set is not declared are read right, and stay so in a download', async () => {
    const bytes = await jpegWithIptc(Buffer.concat([dataset(90, 'Zürich'), dataset(80, 'Zoë Müller'), dataset(116, '© Zoë Müller')]))
    const id = await uploaded(bytes, 'undeclared.jpg')
    const { copyright, byline, metadata } = (await client['get-media']({ params: { id } })).body
    assert.deepEqual([copyright, byline, metadata.iptc?.City], ['© Zoë Müller', 'Zoë Müller', 'Zürich'])
    await client['set-title']({ params: { id }, body: { en: known.title } })
    const download = await fetched((await location(id)).url)
    for (const text of ['Zürich', 'Zoë Müller', '© Zoë Müller']) assert.ok(download.includes(text), text)
    assert.deepEqual((await saidBy(download)).copyright, ['© Zoë Müller', '© Zoë Müller'])
  })

  test('an emptied title and a removed keyword leave no other field, and do not come back', async () => {
    const path = join(directory, `tagged-${files++}`)
    await writeFile(path, await images['plain.jpg']())
    const words = ['IPTC:Keywords', 'XMP-dc:Subject', 'XMP-digiKam:TagsList'].flatMap((tag) => [`-${tag}=Anna`, `-${tag}=Bob`])
    const titles = ['IPTC:Headline', 'IPTC:ObjectName', 'IFD0:XPTitle'].map((tag) => `-${tag}=Anna's day`)
    await exiftool.run(['-overwrite_original', ...words, ...titles, '-IPTC:Caption-Abstract=By the sea'], path)
    const id = await uploaded(await readFile(path), 'siblings.jpg')
    const params = { id }
    assert.deepEqual((await client['get-media']({ params })).body.metadata.title, { en: "Anna's day" })
    await client['set-title']({ params, body: {} })
    await client['replace-keywords']({ params, body: { en: ['Bob'] } })
    const download = await fetched((await location(id)).url)
    assert.ok(!download.includes('Anna') && !download.includes(Buffer.from('Anna', 'utf16le')))
    const again = await uploaded(download, 'siblings again.jpg')
    const { title, description, keywords } = (await client['get-media']({ params: { id: again } })).body.metadata
    assert.deepEqual([title, description, keywords], [{}, { en: 'By the sea' }, { en: ['Bob'] }])
  })

  test('a motion photo carries it, and keeps its film', async () => {
    const original = await oddJpegs['motion.jpg']()
    const id = await uploaded(original, 'motion.jpg')
    await describeAll(id)
    const answer = await location(id)
    assert.equal(answer.metadata_written, undefined)
    const download = await fetched(answer.url)
    assert.deepEqual(await saidBy(download), carried)
    const film = original.subarray(original.indexOf('ftyp') - 4)
    assert.ok(download.subarray(-film.length).equals(film))
    assert.ok(download.includes(`Item:Semantic="MotionPhoto" Item:Length="${film.length}"`))
  })

  test('sizes carry it where they are JPEGs, and are the renditions where they are PNGs', async () => {
    const [jpeg, png] = [await uploaded(await images['plain.jpg'](), 'sizes.jpg'), await uploaded(await images['alpha.png'](), 'sizes.png')]
    await describeAll(jpeg)
    await describeAll(png)
    for (const size of ['110px', '1600px'] as const) {
      const { body, status } = await client['get-sized-download-location']({ params: { id: jpeg, size } })
      assert.equal(status, 200)
      const response = await fetch(body.url)
      const label = emulator === undefined ? response.headers.get('content-disposition')! : decodeURIComponent(body.url)
      assert.match(label, new RegExp(`filename="sizes_${size}.jpg"`))
      assert.equal(response.headers.get('content-type'), 'image/jpeg')
      const bytes = Buffer.from(await response.arrayBuffer())
      assert.deepEqual(await saidBy(bytes), carried, size)
      const { width, height } = await sharp(bytes).metadata()
      assert.ok(Math.max(width, height) <= Number.parseInt(size, 10))
      const plain = await client['get-sized-download-location']({ params: { id: png, size } })
      assert.equal((await saidBy(await fetched(plain.body.url))).title, undefined)
    }
  })

  const names = emulatorLimit('garbles names beyond ASCII in upload forms, and hands no name on to who downloads')
  test.each(['Blåbær (2).jpg', '日本語.jpg', 'مرحبا.jpg', 'naïve "quoted".jpg', '👩‍👩‍👧.jpg'])(
    'a written file keeps its name %s',
    names,
    async (name) => {
      const id = await uploaded(await images['plain.jpg'](), name)
      await describeAll(id)
      const stored = (await client['get-media']({ params: { id } })).body.filename
      const disposition = (await fetch((await location(id)).url)).headers.get('content-disposition')!
      assert.match(disposition, /^attachment; filename="[ -~]+"; filename\*=UTF-8''/)
      assert.equal(decodeURIComponent(disposition.split("UTF-8''")[1]!), stored)
    },
  )

  test('a file that can not be written is delivered as it is, and the answer says so', async () => {
    const odd = await images['plain.jpg']()
    odd.writeUInt16BE(0xffff, 4)
    const id = await uploaded(odd, 'odd.jpg')
    await describeAll(id)
    const answer = await location(id)
    assert.equal(answer.metadata_written, false)
    assert.deepEqual(await fetched(answer.url), odd)
  })

  test('a download carries its authorization in the query: both schemes, in both alphabets of base64', async () => {
    const id = await uploaded(await images['plain.jpg'](), 'query.jpg')
    await describeAll(id)
    const reader = await person()
    await accounts.grant(service.demo.folder_id, reader.userId, ['READ'])
    const application = hmacAuthorization(await accounts.key(['downloads']))
    for (const authorization of [reader.authorization, application]) {
      for (const encoding of ['base64', 'base64url'] as const) {
        for (const path of [`/media/${id}/download_location`, `/media/${id}/download_location/320px`]) {
          const query = new URLSearchParams({ Authorization: Buffer.from(authorization).toString(encoding) })
          const response = await fetch(`${service.baseUrl}${path}?${query}`)
          assert.equal(response.status, 200, `${authorization.split(' ')[0]} ${encoding}`)
          const { url } = (await response.json()) as { url: string }
          assert.equal((await saidBy(await fetched(url))).title, known.title)
        }
      }
    }
    const withoutGrant = new URLSearchParams({ Authorization: Buffer.from(hmacAuthorization(await accounts.key([]))).toString('base64') })
    assert.equal((await fetch(`${service.baseUrl}/media/${id}/download_location?${withoutGrant}`)).status, 403)
  })

  test('the operator sees who downloaded what, with what the client said of it', elsewhere, async () => {
    const companyId = await accounts.company('Logged')
    const owner = await person({ companyId, admin: true })
    const { id: folder } = (await owner.client['create-folder']({ body: { name: 'Folder' } })).body
    const media = await uploadAndImport(owner.client, folder, await images['plain.jpg'](), 'logged.jpg')
    const id = Number(media.id)
    const key = await accounts.key(['downloads'], companyId)
    const application = await service.client(hmacAuthorization(key))
    await owner.client['get-download-location']({ params: { id }, query: { download_info: '{"purpose":"print","copies":[1,2]}' } })
    await application['get-sized-download-location']({ params: { id, size: '320px' }, query: { user: owner.userId } })
    await application['get-download-location']({ params: { id } })
    await owner.client['get-sized-download-location']({ params: { id: 1, size: '320px' } })
    const listed: object[] = await runJson(service.directory!, ['downloads', 'list', '--company', String(companyId)])
    const said = listed.map((each) => ({ ...each, time: '' }))
    const entry = { time: '', media_id: id, size: null, download_info: null, key: key.key, user_id: null }
    assert.deepEqual(said.slice(0, 2), [entry, { ...entry, size: '320px', user_id: owner.userId }])
    const { key: signedInBy, ...first } = said[2] as typeof entry
    assert.equal(typeof signedInBy, 'string', 'the application through which the user signed in')
    assert.deepEqual(
      { ...first, key: '' },
      { ...entry, key: '', user_id: owner.userId, download_info: { purpose: 'print', copies: [1, 2] } },
    )
    assert.equal(said.length, 3)
  })
})
