import assert from 'node:assert/strict'
import { describe, test, vi } from 'vitest'
import { mailOutOfReach, mailTo } from '../support/mail.ts'
import { images } from '../support/pictures/index.ts'
import { elsewhere, emulator } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { hmacAuthorization } from '../support/successes.ts'
import { until } from '../support/until.ts'
import { unzipped } from '../support/unzipped.ts'
import { uploadAndImport } from '../support/uploading.ts'

type Client = Person['client']
type Job = Awaited<ReturnType<Client['get-zip']>>['body']

describe('zips', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()

  const newFolder = async (name: string, parent: number | null = null) =>
    (await client['create-folder']({ body: { name, parent } })).body.id
  const uploaded = async (folder: number, bytes: Uint8Array, name: string) =>
    Number((await uploadAndImport(client, folder, bytes, name)).id)

  async function asked(folder: number, by: Client = client): Promise<Job> {
    const answer = await by['create-zip']({ params: { id: folder } })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  /** Follows a job to its end. @param seen gets every answer before */
  async function ended(job: Job, by: Client = client, seen: Job[] = []): Promise<Job> {
    return until(async () => {
      const { body } = await by['get-zip']({ params: { job_id: job.job_id } })
      if (body.state !== 'PENDING') return body
      seen.push(body)
      return false
    })
  }

  async function fetched(url: string): Promise<Response> {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    return response
  }

  const bytesAt = async (url: string) => Buffer.from(await (await fetched(url)).arrayBuffer())
  const downloaded = async (id: number) => bytesAt((await client['get-download-location']({ params: { id } })).body.url)
  const entriesOf = async ({ url }: Job) => new Map((await unzipped(await bytesAt(url!))).map(({ path, bytes }) => [path, bytes]))

  test('hold what downloads deliver, byte for byte, in folders and under names of every script', async () => {
    const top = await newFolder('Øresund: photos')
    const inner = await newFolder('日本語', top)
    const deepest = await newFolder('العربية', inner)
    await newFolder('nothing in here', top)
    // The emulator garbles such names in upload forms.
    const names = emulator === undefined ? ['naïve café.jpg', 'Ελλάδα.png', 'фото.tif'] : ['a.jpg', 'b.png', 'c.tif']
    const files: [path: string, id: number][] = [
      [names[0]!, await uploaded(top, await images['plain.jpg'](), names[0]!)],
      [`日本語/${names[1]}`, await uploaded(inner, await images['plain.png'](), names[1]!)],
      [`日本語/العربية/${names[2]}`, await uploaded(deepest, await images['plain.tif'](), names[2]!)],
      ['日本語/notes.txt', await uploaded(inner, Buffer.from('notes'), 'notes.txt')],
      ['日本語/animated.gif', await uploaded(inner, await images['animated.gif'](), 'animated.gif')],
      ['日本語/photo.jpg', await uploaded(inner, await images['progressive.jpg'](), 'photo.jpg')],
    ]
    for (const [, id] of files) await client['replace-metadata']({ params: { id }, body: { title: { en: 'Øresund' } } })
    const seen: Job[] = []
    const job = await asked(top)
    assert.deepEqual([job.state, job.url, job.valid_until], ['PENDING', null, null])
    const done = await ended(job, client, seen)
    assert.equal(done.state, 'DONE')
    assert.deepEqual([done.entries_done, done.entries_total], [undefined, undefined])
    for (const { entries_done = 0, entries_total = 7 } of seen) {
      assert.equal(entries_total, 7)
      assert.ok(entries_done >= 0 && entries_done <= 7, String(entries_done))
    }
    const entries = await entriesOf(done)
    assert.deepEqual(new Set(entries.keys()), new Set([...files.map(([path]) => path), 'nothing in here/']))
    for (const [path, id] of files) assert.ok(entries.get(path)!.equals(await downloaded(id)), path)
  })

  test('have the name of their folder, are good for a day, and support ranges', async () => {
    const folder = await newFolder('Summer: 2026?')
    await uploaded(folder, Buffer.from('text'), 'a.txt')
    const { url, valid_until } = await ended(await asked(folder))
    const day = Math.abs(valid_until! - Date.now() / 1000 - 86_400)
    assert.ok(day < 600, `${day} seconds off`)
    const { headers } = await fetched(url!)
    assert.equal(headers.get('content-type'), 'application/zip')
    if (emulator === undefined) assert.match(headers.get('content-disposition')!, /filename="Summer_ 2026_\.zip"/)
    const range = await fetch(url!, { headers: { range: 'bytes=0-3' } })
    assert.deepEqual([range.status, await range.text()], [206, 'PK\u0003\u0004'])
  })

  describe('of a selection', () => {
    const askedFor = async (media_ids: number[], by: Client = client, name?: string) =>
      by['create-selection-zip']({ body: { media_ids, ...(name !== undefined && { name }) } })

    test('hold its files at the root, equal names numbered, each once, under the given name', async () => {
      const [one, other] = [await newFolder('One'), await newFolder('Other')]
      const picture = await uploaded(one, await images['plain.jpg'](), 'a.jpg')
      await client['set-title']({ params: { id: picture }, body: { en: 'Harbour' } })
      const same = await uploaded(other, Buffer.from('another'), 'a.jpg')
      const text = await uploaded(other, Buffer.from('text'), 'b.txt')
      const answer = await askedFor([picture, same, text, picture], client, 'Press: May')
      assert.deepEqual([answer.status, answer.body.state], [200, 'PENDING'])
      const done = await ended(answer.body)
      const entries = await entriesOf(done)
      assert.deepEqual([...entries.keys()].toSorted(), ['a (2).jpg', 'a.jpg', 'b.txt'])
      assert.ok(entries.get('a.jpg')!.equals(await downloaded(picture)))
      assert.equal(entries.get('b.txt')!.toString(), 'text')
      const { headers } = await fetched(done.url!)
      if (emulator === undefined) assert.match(headers.get('content-disposition')!, /filename="Press_ May\.zip"/)
      assert.notEqual((await askedFor([picture])).body.job_id, done.job_id)
    })

    test('hold what the caller may READ: of anything else it is 404, as one', async () => {
      const reader = await person()
      const [open, closed] = [await newFolder('Open'), await newFolder('Closed')]
      await accounts.grant(open, reader.userId, ['READ'])
      const [seen, hidden] = [await uploaded(open, Buffer.from('seen'), 'seen.txt'), await uploaded(closed, Buffer.from('x'), 'x.txt')]
      const refused = await askedFor([seen, hidden], reader.client)
      assert.deepEqual([refused.status, (refused.body as { code?: string }).code], [404, 'media_not_found'])
      assert.equal((await askedFor([seen, 1], reader.client)).status, 404)
      const done = await ended((await askedFor([seen], reader.client)).body, reader.client)
      assert.deepEqual([...(await entriesOf(done)).keys()], ['seen.txt'])
      assert.equal((await client['get-zip']({ params: { job_id: done.job_id } })).status, 404)
      await accounts.grant(open, reader.userId, [])
      assert.equal((await reader.client['get-zip']({ params: { job_id: done.job_id } })).status, 403)
    })

    test('hold trashed files for their owner alone', async () => {
      const folder = await newFolder('To trash')
      const id = await uploaded(folder, Buffer.from('trash'), 'trash.txt')
      const admin = await person({ admin: true })
      assert.equal((await askedFor([id], admin.client)).status, 200)
      await client['move-media-to-trash']({ params: { id, folderId: folder } })
      assert.equal((await askedFor([id], admin.client)).status, 404)
      assert.deepEqual([...(await entriesOf(await ended((await askedFor([id])).body))).keys()], ['trash.txt'])
    })

    test('have one to 10,000 files', async () => {
      for (const ids of [[], Array.from({ length: 10_001 }, (_, n) => n + 1)]) assert.equal((await askedFor(ids)).status, 400)
    })
  })

  test('are offered again while nothing in them changes, and made again when something does', async () => {
    const folder = await newFolder('Cached')
    const id = await uploaded(folder, Buffer.from('one'), 'one.txt')
    const done = await ended(await asked(folder))
    const again = await asked(folder)
    assert.deepEqual([again.job_id, again.state, again.valid_until], [done.job_id, 'DONE', done.valid_until])
    await newFolder('Elsewhere')
    assert.equal((await asked(folder)).job_id, done.job_id)
    await client['set-title']({ params: { id }, body: { en: 'Changed' } })
    // On AWS the change may take a moment to appear in the feed.
    await until(async () => (await asked(folder)).job_id !== done.job_id)
  })

  test('hold what the one who asks may READ, who alone sees the job', async () => {
    const top = await newFolder('Shared')
    const [open, closed] = [await newFolder('Open', top), await newFolder('Closed', top)]
    await uploaded(open, Buffer.from('open'), 'open.txt')
    await uploaded(closed, Buffer.from('closed'), 'closed.txt')
    const reader = await person()
    assert.equal((await reader.client['create-zip']({ params: { id: top } })).status, 404)
    await accounts.grant(top, reader.userId, ['UPLOAD'])
    assert.equal((await reader.client['create-zip']({ params: { id: top } })).status, 403)
    await accounts.grant(open, reader.userId, ['READ'])
    const job = await asked(top, reader.client)
    assert.deepEqual([...(await entriesOf(await ended(job, reader.client))).keys()], ['Open/open.txt'])
    assert.equal((await client['get-zip']({ params: { job_id: job.job_id } })).status, 404, 'an admin')
    assert.notEqual((await asked(top)).job_id, job.job_id)
  })

  test('are made for applications', async () => {
    const folder = await newFolder('For an application')
    await uploaded(folder, Buffer.from('text'), 'a.txt')
    const application = await service.client(hmacAuthorization(await accounts.key(['downloads'])))
    const job = await asked(folder, application)
    assert.equal((await ended(job, application)).state, 'DONE')
    const another = await service.client(hmacAuthorization(await accounts.key(['downloads'])))
    assert.equal((await another['get-zip']({ params: { job_id: job.job_id } })).status, 404)
    assert.equal((await client['get-zip']({ params: { job_id: job.job_id } })).status, 404, 'a user')
    const ungranted = await service.client(hmacAuthorization(await accounts.key([])))
    assert.equal((await ungranted['create-zip']({ params: { id: folder } })).status, 403)
  })

  test('are e-mailed to the user who asked, with a URL that works', mailOutOfReach, async () => {
    const reader = await person({ username: `zips-${Date.now()}@example.com` })
    const folder = await newFolder('Mailed <folder>')
    await accounts.grant(folder, reader.userId, ['READ'])
    await uploaded(folder, Buffer.from('by mail'), 'a.txt')
    await ended(await asked(folder, reader.client), reader.client)
    const mail = await mailTo(reader.username, service)
    assert.match(mail, /Mailed <folder>/)
    const url = /https?:\/\/\S+/.exec(mail)![0]
    const entries = await unzipped(await bytesAt(url))
    assert.deepEqual(
      entries.map(({ path, bytes }) => [path, bytes.toString()]),
      [['a.txt', 'by mail']],
    )
  })

  test('of somebody without an e-mail address are a line in the log', elsewhere, async () => {
    const reader = await person({ username: `without-address-${Date.now()}` })
    const folder = await newFolder('Not mailed')
    await accounts.grant(folder, reader.userId, ['READ'])
    const { job_id } = await ended(await asked(folder, reader.client), reader.client)
    const isTold = (line: string) => line.includes('a zip was not mailed') && line.includes(job_id)
    await vi.waitUntil(() => service.log.some(isTold), { timeout: 60_000 })
  })

  test('end after a day, and go an hour later', elsewhere, async () => {
    const folder = await newFolder('Ends')
    const done = await ended(await asked(folder))
    try {
      service.advance(86_401)
      assert.equal((await fetch(done.url!)).status, 403)
      const authorization = await service.signIn()
      const later = await service.client(authorization)
      const next = await asked(folder, later)
      assert.notEqual(next.job_id, done.job_id)
      service.advance(3_600)
      await vi.waitUntil(async () => (await later['get-zip']({ params: { job_id: done.job_id } })).status === 404, { timeout: 60_000 })
      assert.equal((await ended(next, later)).state, 'DONE')
    } finally {
      service.advance(-86_401 - 3_600)
    }
  })
})
