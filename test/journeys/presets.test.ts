import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { openLibrary } from '../../infra/admin/library/library.ts'
import { checkLibrary } from '../../shared/library/check/check.ts'
import { setPresetsOnly } from '../../shared/library/links/aliases.ts'
import { elsewhere, emulatorLimit } from '../support/service.ts'
import { serviceWithLinks } from '../support/service-with-links.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { accounts, admin, as, company, person, service } = await serviceWithLinks()
const { client } = admin
const boss = as(admin)

const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

/** A picture that is published, and its address. */
async function published() {
  const { folderId, alias } = await accounts.cdnFolder(company)
  const { id } = await uploadAndImport(client, folderId, picture, 'teal.png')
  const url = await until(async () => {
    const { body } = await boss.link(folderId, Number(id))
    return body.state === 'active' ? body.url! : undefined
  })
  return { alias, url }
}

interface Shown {
  status: number
  headers: Headers
  /** Of an error. */
  code: string | undefined
  width: number | undefined
  height: number | undefined
  format: string | undefined
}

async function shown(address: string, init?: RequestInit): Promise<Shown> {
  const response = await fetch(address, init)
  const { status, headers } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  const code = status >= 400 ? (JSON.parse(bytes.toString()) as { code: string }).code : undefined
  const { width, height, format } = status === 200 ? await sharp(bytes).metadata() : {}
  return { status, headers, code, width, height, format }
}

/** Waits until an address shows what it should. */
const untilShown = (address: string, isRight: (shown: Shown) => boolean) =>
  until(async () => {
    const now = await shown(address)
    return isRight(now) ? now : undefined
  })

const create = async (name: string, query: string) => {
  const { status, body } = await client['create-preset']({ body: { name, query } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

describe('a preset', () => {
  test('is what links show by it, and a change of it is seen', emulatorLimit('has no edges'), async () => {
    const { url } = await published()
    assert.deepEqual([(await shown(`${url}?preset=card`)).status, (await shown(`${url}?preset=card`)).code], [404, 'preset_not_found'])
    const { id, ...preset } = await create('card', 'width=100&height=100&fit=cover')
    assert.deepEqual([preset.name, preset.query], ['card', 'width=100&height=100&fit=cover'])
    const first = await untilShown(`${url}?preset=card`, ({ status }) => status === 200)
    assert.deepEqual([first.width, first.height, first.format], [100, 100, 'png'])
    // Besides it only these two are read.
    const other = await shown(`${url}?width=10&preset=card&dpr=2&output_format=webp&grayscale=x`)
    assert.deepEqual([other.width, other.height, other.format], [200, 200, 'webp'])
    const etag = first.headers.get('etag')!
    assert.equal((await shown(`${url}?preset=card`, { headers: { 'if-none-match': etag } })).status, 304)
    assert.equal((await client['change-preset']({ params: { id }, body: { query: 'width=50&output_format=auto' } })).status, 200)
    const changed = await untilShown(`${url}?preset=card`, ({ width }) => width === 50)
    assert.notEqual(changed.headers.get('etag'), etag)
    assert.equal(changed.headers.get('vary'), 'Accept')
    const webp = await shown(`${url}?preset=card`, { headers: { accept: 'image/webp' } })
    assert.deepEqual([webp.format, webp.headers.get('vary')], ['webp', 'Accept'])
    await client['change-preset']({ params: { id }, body: { name: 'teaser' } })
    await untilShown(`${url}?preset=card`, ({ status, code }) => status === 404 && code === 'preset_not_found')
    assert.equal((await shown(`${url}?preset=teaser`)).status, 200)
    await client['delete-preset']({ params: { id } })
    await untilShown(`${url}?preset=teaser`, ({ status, code }) => status === 404 && code === 'preset_not_found')
    assert.equal((await shown(url)).status, 200, 'the file itself is there')
  })

  test('is all that an alias shows, where the operator says so', emulatorLimit('has no edges'), async () => {
    const [{ alias, url }, free] = [await published(), await published()]
    const { id } = await create('small', 'width=40')
    await untilShown(`${url}?preset=small`, ({ status }) => status === 200)
    await setPresetsOnly(accounts.library, company, alias, true)
    await untilShown(`${url}?width=30`, ({ status, code }) => status === 403 && code === 'presets_only')
    assert.equal((await shown(`${url}?preset=small&dpr=2`)).width, 80)
    assert.equal((await shown(`${free.url}?width=30`)).width, 30, 'another alias')
    assert.deepEqual([(await shown(url)).width, (await shown(`${url}?preset=none`)).status], [400, 404])
    await setPresetsOnly(accounts.library, company, alias, false)
    await untilShown(`${url}?width=30`, ({ width }) => width === 30)
    await client['delete-preset']({ params: { id } })
  })

  test('is for admins of its company', async () => {
    const { id } = await create('mine', 'width=40')
    const member = await person({ companyId: company })
    const stranger = await person({ companyId: await accounts.company('Another'), admin: true })
    const calls = (who: typeof member, company_id: number | undefined) =>
      Promise.all([
        who.client['list-presets']({ query: company_id === undefined ? {} : { company_id } }),
        who.client['create-preset']({ body: { name: 'x', query: 'width=1', ...(company_id !== undefined && { company_id }) } }),
        who.client['change-preset']({ params: { id }, body: { query: 'width=1' } }),
        who.client['delete-preset']({ params: { id } }),
      ]).then((answers) => answers.map(({ status }) => status))
    assert.deepEqual(await calls(member, undefined), [403, 403, 403, 403])
    assert.deepEqual(await calls(stranger, company), [404, 404, 404, 404])
    const { presets } = (await client['list-presets']({})).body
    assert.deepEqual(
      presets.map(({ name, query }) => [name, query]),
      [['mine', 'width=40']],
    )
    assert.deepEqual((await stranger.client['list-presets']({})).body, { presets: [] })
    await client['delete-preset']({ params: { id } })
  })

  test('is refused with all that is wrong, and where its name is taken', async () => {
    const wrong = async (body: object) => {
      const { status, body: error } = await client['create-preset']({ body: body as never })
      return [status, (error as unknown as { errors?: { path: string }[] }).errors?.map(({ path }) => path)]
    }
    assert.deepEqual(await wrong({ name: 'x', query: 'width=0&fit=fill&size=3' }), [400, ['query.size', 'query.width', 'query.fit']])
    assert.deepEqual(await wrong({ name: 'x', query: 'preset=x' }), [400, ['query.preset']])
    assert.deepEqual(await wrong({ name: 'x', query: '' }), [400, ['query']])
    assert.deepEqual(await wrong({ name: 'X', query: 'width=1' }), [400, ['name']])
    assert.deepEqual(await wrong({ name: 'x'.repeat(41), query: 'width=1' }), [400, ['name']])
    const { id } = await create('twice', 'width=1')
    const again = await client['create-preset']({ body: { name: 'twice', query: 'width=2' } })
    assert.deepEqual([again.status, (again.body as unknown as { code: string }).code], [409, 'preset_exists'])
    await client['delete-preset']({ params: { id } })
  })
})

test('what is published of presets is what is said of them', elsewhere, async () => {
  const { url } = await published()
  const { id } = await create('card', 'width=10')
  await untilShown(`${url}?preset=card`, ({ status }) => status === 200)
  const opened = await openLibrary({ stack: undefined, environment: { DATA_DIR: service.directory } })
  try {
    const [media, publicFiles] = [await opened.openMedia(), await opened.openPublicFiles()]
    assert.deepEqual(await checkLibrary({ ...opened, media, publicFiles }), [])
  } finally {
    opened.close()
  }
  await client['delete-preset']({ params: { id } })
})
