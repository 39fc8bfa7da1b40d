import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import { toUserId } from '../../shared/vocabulary/ids.ts'
import { hostile, images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'

const MAX_BYTES = 4 * 1024 * 1024
const sides = { small: 25, medium: 50, large: 100 } as const
const sizes = ['small', 'medium', 'large', 'original'] as const

const { service, accounts } = await serviceWithAccounts()

describe('profile images', () => {
  type Person = Awaited<ReturnType<typeof accounts.user>>
  const get = (person: Person, by: Pick<Person, 'authorization'>, size = '', headers: Record<string, string> = {}) =>
    service.request(`/user/${person.userId}/profileimage${size && `/${size}`}`, {
      headers: { authorization: by.authorization, ...headers },
    })
  const bytesOf = async (person: Person, size: string) => Buffer.from(await (await get(person, person, size)).arrayBuffer())
  const send = (person: Person, by: Pick<Person, 'authorization'>, picture: Uint8Array, field = 'file') => {
    const form = new FormData()
    form.set(field, new Blob([Uint8Array.from(picture)]), 'me.jpg')
    return service.request(`/user/${person.userId}/profileimage`, {
      method: 'POST',
      headers: { authorization: by.authorization },
      body: form,
    })
  }
  const colour = (background: string, width = 300, height = 200) => sharp({ create: { width, height, channels: 3, background } })
  /** Mean of red, green and blue. */
  const meanOf = async (jpeg: Buffer) => (await sharp(jpeg).stats()).channels.map(({ mean }) => Math.round(mean))

  test('an image is there in every size, as a file of its own name', async () => {
    const user = await accounts.user()
    const sent = await send(user, user, await colour('#c02020').png().toBuffer())
    assert.equal(sent.status, 201)
    assert.deepEqual(await sent.json(), {})
    for (const size of ['', ...sizes]) {
      const answer = await get(user, user, size)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'image/jpeg')
      assert.equal(answer.headers.get('content-disposition'), `inline; filename="${size || 'small'}_${user.userId}.jpg"`)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      // With this header a gateway doesn't compress it.
      assert.equal(answer.headers.get('content-encoding'), 'identity')
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      const bytes = Buffer.from(await answer.arrayBuffer())
      const { format, width, height } = await sharp(bytes).metadata()
      const side = sides[(size || 'small') as keyof typeof sides]
      assert.deepEqual({ format, width, height }, { format: 'jpeg', width: side ?? 300, height: side ?? 200 })
      const [red, green] = await meanOf(bytes)
      assert.ok(red! > 180 && green! < 45)
    }
  })

  test('who has it already is not sent it again, until there is another', async () => {
    const user = await accounts.user()
    await send(user, user, await colour('red').jpeg().toBuffer())
    const etag = (await get(user, user, 'large')).headers.get('etag')!
    const again = await get(user, user, 'large', { 'if-none-match': etag })
    assert.equal(again.status, 304)
    assert.equal((await again.arrayBuffer()).byteLength, 0)
    assert.equal(again.headers.get('etag'), etag)
    await send(user, user, await colour('blue').jpeg().toBuffer())
    assert.equal((await get(user, user, 'large', { 'if-none-match': etag })).status, 200)
  })

  test('who has none is shown a neutral one, the same for all', async () => {
    const [one, other] = [await accounts.user(), await accounts.user()]
    for (const size of sizes) {
      const bytes = await bytesOf(one, size)
      const { width, height } = await sharp(bytes).metadata()
      assert.deepEqual([width, height], Array(2).fill({ ...sides, original: 400 }[size]))
      assert.deepEqual(bytes, await bytesOf(other, size))
    }
    assert.equal((await get(one, one)).headers.get('content-disposition'), `inline; filename="small_${one.userId}.jpg"`)
  })

  describe('who may', () => {
    test('see it: everybody of a company of theirs, and nobody else', async () => {
      const companyId = await accounts.company('Elsewhere')
      const [user, fellow, admin] = [await accounts.user(), await accounts.user(), await accounts.user({ admin: true })]
      const stranger = await accounts.user({ companyId, admin: true })
      for (const by of [user, fellow, admin]) assert.equal((await get(user, by)).status, 200)
      assert.equal((await get(user, stranger)).status, 404)
      assert.equal((await get(user, { authorization: '' })).status, 401)
    })

    test('set it: they themself and admins of their company', async () => {
      const companyId = await accounts.company('Elsewhere')
      const picture = await images['plain.jpg']()
      const [user, fellow, admin] = [await accounts.user(), await accounts.user(), await accounts.user({ admin: true })]
      const stranger = await accounts.user({ companyId, admin: true })
      for (const by of [user, admin]) assert.equal((await send(user, by, picture)).status, 201)
      const before = await bytesOf(user, 'original')
      assert.equal((await send(user, fellow, await colour('red').png().toBuffer())).status, 403)
      assert.equal((await send(user, stranger, await colour('red').png().toBuffer())).status, 404)
      assert.deepEqual(await bytesOf(user, 'original'), before)
      assert.equal((await send({ ...user, userId: toUserId(2_147_483_646) }, admin, picture)).status, 404)
    })
  })

  describe('of a member of several companies', () => {
    test('admins of their own company, the first, may set it; admins of the others may not', async () => {
      const [own, other] = [await accounts.company('Own'), await accounts.company('Other')]
      const user = await accounts.user({ companyId: own })
      await joinCompany(accounts.library, user.userId, other)
      const [ownAdmin, otherAdmin] = [
        await accounts.user({ companyId: own, admin: true }),
        await accounts.user({ companyId: other, admin: true }),
      ]
      const picture = await images['plain.jpg']()
      for (const by of [user, ownAdmin]) assert.equal((await send(user, by, picture)).status, 201)
      const before = await bytesOf(user, 'original')
      assert.equal((await send(user, otherAdmin, await colour('red').png().toBuffer())).status, 403)
      assert.deepEqual(await bytesOf(user, 'original'), before)
      assert.equal((await get(user, otherAdmin)).status, 200, 'seen it is in all companies')
      await joinCompany(accounts.library, otherAdmin.userId, own)
      assert.equal((await send(user, otherAdmin, await colour('red').png().toBuffer())).status, 403, 'admin elsewhere, member here')
    })
  })

  test('a size that there is not is refused', async () => {
    const user = await accounts.user()
    for (const size of ['huge', 'SMALL', '25', 'small%20']) assert.equal((await get(user, user, size)).status, 400, size)
  })

  describe('what is no usable picture is refused, with the reason, and changes nothing', () => {
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const refused: Record<string, [() => Promise<Uint8Array> | Uint8Array, RegExp]> = {
      'a web page': [() => html, /no JPEG, PNG, WebP or GIF/],
      'an SVG': [hostile['entities.svg'], /no JPEG, PNG, WebP or GIF/],
      'a TIFF': [images['plain.tif'], /no JPEG, PNG, WebP or GIF/],
      nothing: [() => Buffer.alloc(0), /no JPEG, PNG, WebP or GIF/],
      'a picture cut off': [hostile['truncated.jpg'], /damaged/],
      'a picture of 60 megapixels': [() => colour('red', 10_000, 6000).png().toBuffer(), /50 million pixels/],
      'a picture that says it has 10,000 megapixels': [hostile['header-bomb.png'], /50 million pixels/],
    }
    for (const [what, [picture, reason]] of Object.entries(refused)) {
      test(what, async () => {
        const user = await accounts.user()
        await send(user, user, await images['plain.jpg']())
        const before = await bytesOf(user, 'original')
        const answer = await send(user, user, await picture())
        assert.equal(answer.status, 400)
        const { message, errors } = (await answer.json()) as { message: string; errors: { path: string }[] }
        assert.match(message, reason)
        assert.equal(errors[0]!.path, 'file')
        assert.deepEqual(await bytesOf(user, 'original'), before)
      })
    }

    test('a form without the file', async () => {
      const user = await accounts.user()
      const answer = await send(user, user, await images['plain.jpg'](), 'image')
      assert.equal(answer.status, 400)
      assert.equal(((await answer.json()) as { errors: { path: string }[] }).errors[0]!.path, 'file')
    })
  })

  test('a picture may have 4 MiB, and not a byte more', async () => {
    const user = await accounts.user()
    // Bytes after the end of a picture don't belong to it.
    const padded = async (bytes: number) => Buffer.concat([await images['plain.jpg'](), Buffer.alloc(bytes)]).subarray(0, bytes)
    assert.equal((await send(user, user, await padded(MAX_BYTES))).status, 201)
    for (const bytes of [MAX_BYTES + 1, 5_000_000]) {
      const answer = await send(user, user, await padded(bytes))
      assert.equal(answer.status, 413, String(bytes))
      assert.equal(((await answer.json()) as { code: string }).code, 'too_large')
    }
  })

  test('of two that are sent at the same time one is there, in all its sizes', async () => {
    const user = await accounts.user()
    const [red, blue] = await Promise.all([colour('red').png().toBuffer(), colour('blue').png().toBuffer()])
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all([red, blue, red, blue].map((picture) => send(user, user, picture)))
      assert.ok(answers.every(({ status }) => status === 201))
      const seen = await Promise.all(sizes.map(async (size) => (await meanOf(await bytesOf(user, size)))[0]! > 128))
      assert.equal(new Set(seen).size, 1)
    }
  })
})
