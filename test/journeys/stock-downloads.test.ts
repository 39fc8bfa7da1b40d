import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { joinCompany } from '../../shared/library/people/join-company.ts'
import type { renditionSizes } from '../../shared/vocabulary/rendition-size.ts'
import { runJson } from '../infra/admin/run-command.ts'
import { temporaryExifTool } from '../support/exiftool.ts'
import { elsewhere, emulator } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { harbour, stockItems } from '../support/stock-items.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { until } from '../support/until.ts'
import { testVideo, withVideos } from '../support/videos.ts'

type Client = Person['client']

const refusal = ({ status, body }: { status: number; body: unknown }) => {
  const { code, message, errors } = (body ?? {}) as { code?: string; message?: string; errors?: { path: string; message: string }[] }
  return { status, code, message, errors }
}

describe('downloads of the stock library', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const stock = stockItems(accounts)
  const { exiftool, directory } = await temporaryExifTool()
  const item = await stock.harbour()
  let files = 0

  /** A company that may use the stock library, with somebody who has no right on any of its folders. */
  async function companyWithStock() {
    const companyId = await accounts.company('With stock')
    await stock.allow(companyId)
    return { companyId, reader: await person({ companyId }) }
  }
  const { companyId, reader } = await companyWithStock()

  const original = (id: number, by: Client, query?: { user?: number; download_info?: string }) =>
    by['get-download-location']({ params: { id }, ...(query && { query }) })
  const sized = (id: number, by: Client, size: (typeof renditionSizes)[number] = '320px') =>
    by['get-sized-download-location']({ params: { id, size } })

  async function fetched(url: string) {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers }
  }

  async function saidBy(bytes: Buffer) {
    const path = join(directory, `download-${files++}`)
    await writeFile(path, bytes)
    const { XMP = {}, IPTC = {} } = (await exiftool.readTags(path, 'download')).texts
    return { title: XMP.Title, description: IPTC['Caption-Abstract'], keywords: XMP.Subject }
  }

  const logOf = (company: number): Promise<{ [field: string]: unknown }[]> =>
    runJson(service.directory!, ['downloads', 'list', '--company', String(company)])

  test('the original and its sizes carry what the catalogue says, in English', async () => {
    const { status, body } = await original(item, reader.client)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['method', 'url', 'internal_elb_url'])
    const expected = { title: harbour.title.en, description: harbour.description.en, keywords: harbour.keywords.en }
    const { bytes, headers } = await fetched(body.url)
    assert.deepEqual(await saidBy(bytes), expected)
    const label = emulator === undefined ? headers.get('content-disposition')! : decodeURIComponent(body.url)
    assert.match(label, /attachment; filename="harbour\.jpg"/)
    const answer = await sized(item, reader.client, '320px')
    assert.equal(answer.status, 200)
    const picture = (await fetched(answer.body.url)).bytes
    assert.deepEqual(await saidBy(picture), expected)
    assert.ok((await sharp(picture).metadata()).width <= 320)
  })

  test('of a video there is a preview, once it is made', { ...withVideos, ...elsewhere }, async () => {
    const bytes = await readFile(await testVideo())
    const id = await stock.item({ ...harbour, file: { bytes, filename: 'ferry.mp4' } })
    const ask = () => sized(id, reader.client)
    const pending = await ask()
    assert.deepEqual([pending.status, refusal(pending).code, pending.headers.get('retry-after')], [409, 'preview_pending', '5'])
    const answer = await until(async () => {
      const next = await ask()
      return next.status !== 409 && next
    })
    assert.equal(answer.status, 200)
    assert.equal((await fetched(answer.body.url)).headers.get('content-type'), 'video/mp4')
    // To look at there is the picture that searches show: the preview itself is a download, and those are logged.
    const { status, headers } = await reader.client['get-preview']({ params: { id } })
    assert.equal(status, 302)
    assert.equal((await fetched(headers.get('location')!)).headers.get('content-type'), 'image/png')
    assert.deepEqual((await fetched((await original(id, reader.client)).body.url)).bytes, bytes)
  })

  test('an item without file is 404 in words, and its preview is the generic picture', async () => {
    const id = await stock.item({ title: { en: 'Announced' } })
    for (const answer of [await original(id, reader.client), await sized(id, reader.client)]) {
      const { status, code, message } = refusal(answer)
      assert.deepEqual([status, code], [404, 'file_not_found'])
      assert.match(message!, /has no file/)
    }
    const { status, headers } = await reader.client['get-preview']({ params: { id } })
    assert.equal(status, 302)
    assert.equal((await fetched(headers.get('location')!)).headers.get('content-type'), 'image/png')
  })

  describe('for an application', async () => {
    const key = await accounts.key(['downloads'], companyId)
    const client = () => service.client(hmacAuthorization(key))

    test('names a user of its company', async () => {
      const application = await client()
      for (const ask of [original, (id: number, by: Client) => sized(id, by)]) {
        const without = refusal(await ask(item, application))
        assert.deepEqual(
          [without.status, without.errors],
          [400, [{ path: 'user', message: 'is needed for downloads of the stock library' }]],
        )
      }
      const stranger = await accounts.user()
      const ofAnother = refusal(await original(item, application, { user: stranger.userId }))
      assert.deepEqual([ofAnother.status, ofAnother.errors?.[0]?.path], [400, 'user'])
      const { status, body } = await original(item, application, { user: reader.userId })
      assert.equal(status, 200)
      assert.equal((await saidBy((await fetched(body.url)).bytes)).title, harbour.title.en)
    })

    test('does not tell whether there is an item, without the right or the grant', async () => {
      assert.equal((await original(1, await client())).status, 404)
      const elsewhereId = await accounts.company('Without stock')
      const { userId } = await accounts.user({ companyId: elsewhereId })
      const hidden = await service.client(hmacAuthorization(await accounts.key(['downloads'], elsewhereId)))
      assert.equal((await original(item, hidden, { user: userId })).status, 404)
      assert.equal((await original(item, hidden)).status, 404)
      const ungranted = await service.client(hmacAuthorization(await accounts.key([], companyId)))
      assert.equal((await original(item, ungranted, { user: reader.userId })).status, 403)
    })
  })

  test('a right that is withdrawn counts at once, and urls that were given out work on', async () => {
    const { companyId, reader } = await companyWithStock()
    const { url } = (await original(item, reader.client)).body
    await stock.allow(companyId, false)
    for (const answer of [
      await original(item, reader.client),
      await sized(item, reader.client),
      await reader.client['get-preview']({ params: { id: item } }),
    ]) {
      assert.deepEqual([answer.status, refusal(answer).code], [404, 'media_not_found'])
    }
    await fetched(url)
    await stock.allow(companyId)
    assert.equal((await original(item, reader.client)).status, 200)
  })

  test('the log of the company that has the right tells of each, and that of no other', elsewhere, async () => {
    const own = await accounts.company('Own, without stock')
    const both = await person({ companyId: own })
    const { companyId } = await companyWithStock()
    await joinCompany(accounts.library, both.userId as never, companyId)
    const key = await accounts.key(['downloads'], companyId)
    const application = await service.client(hmacAuthorization(key))
    await original(item, both.client, { download_info: '{"purpose":"print"}' })
    await application['get-sized-download-location']({ params: { id: item, size: '800px' }, query: { user: both.userId } })
    const withoutFile = await stock.item({})
    const refused = [await original(withoutFile, both.client), await original(item, application), await original(1, both.client)]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 400, 404],
    )
    const [second, first, ...others] = await logOf(companyId)
    assert.deepEqual(others, [])
    const { time, key: signedInBy, ...rest } = first!
    assert.deepEqual(rest, { media_id: item, size: null, user_id: both.userId, download_info: { purpose: 'print' } })
    assert.deepEqual([typeof time, typeof signedInBy], ['string', 'string'])
    const entry = { media_id: item, size: '800px', user_id: both.userId, download_info: null, key: key.key }
    assert.deepEqual({ ...second, time: '' }, { ...entry, time: '' })
    assert.deepEqual(await logOf(own), [])
  })
})
