import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { mailBrand } from '../../shared/library/brands/brand.ts'
import { toCompanyId } from '../../shared/vocabulary/ids.ts'
import type { Person } from '../support/service-with-accounts.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

const circle = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#c02020"/></svg>'

describe('the brand of a company', async () => {
  const { accounts, person, service } = await serviceWithAccounts()
  const anybody = await service.client('')
  const admin = await person({ admin: true })
  const member = await person()
  const params = { id: service.demo.company_id }
  const change = (body: Record<string, unknown>, by: Person = admin) => by.client['change-brand']({ params, body: body as never })
  const upload = (file: string | Buffer, by: Person = admin) =>
    by.client['upload-logo']({ params, body: Uint8Array.from(typeof file === 'string' ? Buffer.from(file) : file) })

  test('is nothing at first: pages show the name of the service', async () => {
    const nothing = { name: null, accent: null, accent_dark: null, logo: null }
    assert.deepEqual((await member.client['get-company-brand']({ params })).body, nothing)
    assert.deepEqual((await anybody['get-brand']({})).body, { ...nothing, name: 'Media library', own: false })
  })

  test('is chosen by admins, seen by members, and by anybody before they sign in', async () => {
    const { status, body } = await change({ name: '  Harbour Press ', accent: '#0B5CAD' })
    assert.equal(status, 200)
    assert.deepEqual([body.name, body.accent, body.logo], ['Harbour Press', '#0b5cad', null])
    assert.match(body.accent_dark!, /^#[0-9a-f]{6}$/)
    assert.deepEqual((await member.client['get-company-brand']({ params })).body, body)
    assert.deepEqual((await anybody['get-brand']({})).body, { ...body, own: true })
    assert.equal((await change({ name: 'x' }, member)).status, 403)
    assert.equal((await upload(circle, member)).status, 403)
    const stranger = await person({ companyId: await accounts.company('Another'), admin: true })
    for (const each of [stranger.client['get-company-brand']({ params }), change({}, stranger), upload(circle, stranger)]) {
      assert.equal((await each).status, 404)
    }
    // Two companies share the service now.
    assert.equal((await anybody['get-brand']({})).body.own, false)
    assert.deepEqual((await change({})).body, body)
    assert.equal((await change({ accent: null })).body.accent, null)
  })

  test.each(['#ffff00', '#fff000', '#777777', '#84bdf5', '#FFFFFF'])(
    'refuses the accent %s, and names the nearest that can be read',
    async (accent) => {
      const { status, body } = (await change({ accent })) as unknown as { status: number; body: { code: string; nearest: string } }
      assert.deepEqual([status, body.code], [400, 'accent_contrast'])
      assert.equal((await change({ accent: body.nearest })).body.accent, body.nearest)
    },
  )

  test.each([
    { accent: 'red' },
    { accent: '#12345' },
    { name: '' },
    { name: 'x'.repeat(256) },
    { name: 'a\u202eb' },
    { colour: '#000000' },
  ])('refuses %j', async (body) => {
    assert.equal((await change(body)).status, 400)
  })

  test('takes an SVG as a logo, and makes it harmless', async () => {
    const { status, body } = await upload(circle.replace('<circle', '<script>alert(1)</script><circle onclick="alert(1)"'))
    assert.equal(status, 200, JSON.stringify(body))
    const answer = await fetch(body.logo!)
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'.*sandbox/)
    assert.equal(await answer.text(), circle)
  })

  test('takes a PNG in its place; the address of before shows nothing any more', async () => {
    const png = await sharp({ create: { width: 20, height: 10, channels: 4, background: '#c02020' } })
      .png()
      .toBuffer()
    const before = (await change({})).body.logo!
    const { body } = await upload(png)
    const answer = await fetch(body.logo!)
    assert.equal(answer.headers.get('content-type'), 'image/png')
    assert.equal((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width, 20)
    assert.equal((await fetch(before)).ok, false)
    assert.equal((await change({ logo: body.logo })).body.logo, body.logo)
    assert.equal((await change({ logo: null })).body.logo, null)
    assert.equal((await fetch(body.logo!)).ok, false)
  })

  test.each([
    ['what is no picture', Buffer.from('hello'), 400],
    ['what only looks like one', Buffer.from('<svg><b></svg>'), 400],
    ['a page', Buffer.from('<!doctype html><p>hello'), 400],
    [
      'a JPEG',
      await sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } })
        .jpeg()
        .toBuffer(),
      400,
    ],
    ['more than 1 MB', Buffer.alloc(1024 * 1024 + 1, ' '), 413],
  ] as const)('refuses %s as a logo', async (_, file, status) => {
    assert.equal((await upload(file)).status, status)
  })

  test('is on the pages behind its share links, and on none of others', async () => {
    await change({ name: 'Harbour Press', accent: '#0b5cad' })
    const folder = (await admin.client['create-folder']({ body: { name: 'Press', parent: null } })).body.id
    const { url } = (await admin.client['create-share']({ body: { folder_id: folder, password: 'only for friends' } })).body
    const share = url!.split('/').at(-1)!
    const { body } = await anybody['get-brand']({ query: { share } })
    assert.deepEqual([body.name, body.accent, body.own], ['Harbour Press', '#0b5cad', true])
    assert.equal((await anybody['get-brand']({ query: { share: `${share.slice(1)}x` } })).status, 404)
  })

  test('is in the mails of the company alone', async () => {
    const library = { ...accounts.library, settings: { brand: 'ACME' } }
    assert.equal(await mailBrand(library, toCompanyId(service.demo.company_id)), 'Harbour Press')
    assert.equal(await mailBrand(library, await accounts.company('Third')), 'ACME')
    assert.equal(await mailBrand(library, undefined), 'ACME')
  })
})
