import assert from 'node:assert/strict'
import sharp from 'sharp'
import { beforeEach, describe, test } from 'vitest'
import { openLibrary } from '../../infra/admin/library/library.ts'
import { checkLibrary } from '../../shared/library/check/check.ts'
import { removeAlias } from '../../shared/library/links/aliases.ts'
import { getLink } from '../../shared/library/media/link.ts'
import { heic, images } from '../support/pictures/index.ts'
import { elsewhere, emulatorLimit } from '../support/service.ts'
import { serviceWithLinks } from '../support/service-with-links.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { accounts, admin, as, company, folder, linksOf, service } = await serviceWithLinks()
const boss = as(admin)

/** An ordinary folder and a CDN folder. */
let plain: number
let cdn: number
beforeEach(async () => {
  plain = await folder()
  cdn = (await accounts.cdnFolder(company)).folderId
})

const file = async (text: string, where = plain): Promise<number> =>
  Number((await uploadAndImport(admin.client, where, Buffer.from(text), 'file.txt')).id)

/** The states that a link passes through until it is active, and its URL. */
async function active(id: number, where = cdn): Promise<{ states: string[]; url: string }> {
  const states = new Set<string>()
  const url = await until(async () => {
    const { status, body } = await boss.link(where, id)
    assert.equal(status, 200)
    states.add(body.state)
    return body.state === 'active' ? body.url! : undefined
  })
  return { states: [...states], url }
}

const textAt = async (url: string): Promise<string> => {
  const response = await fetch(url)
  assert.equal(response.status, 200)
  return response.text()
}
const isGone = (url: string) =>
  until(async () => {
    const { status, body } = await fetch(url)
    await body?.cancel()
    return status === 404 || undefined
  })

describe('a file is published', emulatorLimit('has no edges'), () => {
  test('when it is copied into a CDN folder: queued, then active', async () => {
    const id = await file('copied')
    assert.equal(await boss.copy(id, cdn), 200)
    const { states, url } = await active(id)
    assert.ok(['queued,active', 'active'].includes(states.join()), states.join())
    assert.equal(await textAt(url), 'copied')
    const { body } = await admin.client['search-media']({ query: { unique_media_id: String(id), return_values: 'cdn_urls' } })
    assert.deepEqual(body.response.media[0]?.cdn_urls, [url])
  })

  test('when it is uploaded straight into one', async () => {
    const id = await file('uploaded', cdn)
    assert.equal(await textAt((await active(id)).url), 'uploaded')
  })

  test('once for each CDN folder that holds it: one link ends, the other goes on', async () => {
    const second = (await accounts.cdnFolder(company)).folderId
    const id = await file('twice')
    await boss.copy(id, cdn)
    await boss.copy(id, second)
    const [one, other] = [await active(id), await active(id, second)]
    assert.notEqual(one.url, other.url)
    await boss.remove(id, cdn)
    await isGone(one.url)
    assert.equal(await textAt(other.url), 'twice')
  })

  test('as a picture although browsers do not show its format: sizes of it are made of a conversion', async () => {
    const { id } = await uploadAndImport(admin.client, cdn, heic(), 'phone.heic')
    const { url } = await active(Number(id))
    const response = await until(async () => {
      const answer = await fetch(`${url}?width=16`)
      if (answer.status === 200) return answer
      assert.equal(answer.status, 503)
      assert.ok(answer.headers.has('retry-after'))
      await answer.body?.cancel()
      return undefined
    })
    const { format, width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    assert.deepEqual({ format, width }, { format: 'jpeg', width: 16 })
  })
})

describe('a published file', emulatorLimit('has no edges'), () => {
  const ways: Readonly<Record<string, (id: number) => Promise<number>>> = {
    'is removed from the folder': (id) => boss.remove(id, cdn),
    'is moved to another folder': async (id) => boss.move(id, cdn, await folder()),
    'is moved to the trashcan': (id) => boss.trash(id, cdn),
    'is put into other folders instead': (id) => boss.setFolders(id, plain),
    'goes with what the folder held': async () => (await admin.client['purge-folder']({ params: { id: cdn } })).status,
    'is deleted with its last pointer': async (id) => {
      await boss.remove(id, plain)
      return boss.remove(id, cdn)
    },
    'is removed before it was ever fetched, while it is published': async (id) => {
      await boss.remove(id, cdn)
      await boss.copy(id, cdn)
      return boss.remove(id, cdn)
    },
  }
  for (const [way, carryOut] of Object.entries(ways)) {
    test(`that ${way} answers 404, and its link ends`, async () => {
      const id = await file(way)
      await boss.copy(id, cdn)
      const { url } = await active(id)
      const [link] = await linksOf(id)
      assert.equal(await carryOut(id), 200)
      assert.equal((await boss.link(cdn, id)).status, 404)
      await isGone(url)
      await isGone(`${url}?width=10`)
      // A job ends the links of what a purged folder held; another job removes the record, once edges have forgotten the link.
      await until(async () => !(await getLink(accounts, link!.id))?.mediaId)
    })
  }

  test('ends with the alias of its folder', async () => {
    const id = await file('aliased')
    await boss.copy(id, cdn)
    const { url } = await active(id)
    const { body } = await admin.client['list-cdn-aliases']({ params: { company } })
    const { alias } = body.aliases.find(({ folder_id }) => folder_id === cdn)!
    await removeAlias(accounts.library, company, alias)
    await isGone(url)
  })
})

test('a picture carries the copyright that the library knows now, by whatever way it came', emulatorLimit('has no edges'), async () => {
  const { id: file } = await uploadAndImport(admin.client, cdn, await images['plain.jpg'](), 'photo.jpg')
  const id = Number(file)
  const { url } = await active(id)
  /** What it says once its tag is another one. The former tag is no reason to send none. */
  const saidAfter = async (tag = '""') => {
    const answer = await until(async () => {
      const found = await fetch(`${url}?width=16`, { headers: { 'if-none-match': tag } })
      if (found.status === 200) return found
      assert.equal(found.status, 304)
      return undefined
    })
    const { exif } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    return { tag: answer.headers.get('etag')!, said: /©[ -~]*/.exec(exif?.toString() ?? '')?.[0] }
  }
  const unmarked = await saidAfter()
  assert.equal(unmarked.said, undefined)
  await admin.client['set-copyright']({ params: { id }, body: '© first' })
  const first = await saidAfter(unmarked.tag)
  assert.equal(first.said, '© first')
  const bulk = { select: { ids: [id] }, change: { copyright: '© bulk' } }
  const { job_id } = (await admin.client['change-media-in-bulk']({ body: bulk })).body
  const second = await saidAfter(first.tag)
  assert.equal(second.said, '© bulk')
  await until(async () => (await admin.client['undo-bulk']({ params: { job_id } })).status === 200)
  assert.equal((await saidAfter(second.tag)).said, '© first')
})

test("the operator's check finds nothing wrong with all of them", elsewhere, async () => {
  const opened = await openLibrary({ stack: undefined, environment: { DATA_DIR: service.directory } })
  try {
    const [media, publicFiles] = [await opened.openMedia(), await opened.openPublicFiles()]
    assert.ok((await publicFiles.list('')).objects.length > 0)
    assert.deepEqual(await checkLibrary({ ...opened, media, publicFiles }), [])
  } finally {
    opened.close()
  }
})
