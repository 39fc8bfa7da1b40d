import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { images } from '../support/pictures/index.ts'
import { elsewhere } from '../support/service.ts'
import { serviceWithShares } from '../support/service-with-shares.ts'
import { unzipped } from '../support/unzipped.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { testVideo, withVideos } from '../support/videos.ts'

describe('share links', async () => {
  const { accounts, anybody, client, folder, make, person, picture } = await serviceWithShares()
  const [root, outside] = [await folder('Press'), await folder('Outside')]
  const [inRoot, inOutside] = [await picture(root, 'a.jpg'), await picture(outside, 'c.jpg')]

  test('let download nothing, renditions, or files, and count that', async () => {
    const links = await Promise.all(['none', 'preview', 'original'].map((download) => make({ folder_id: root, allow: { download } })))
    const download = ({ secret }: { secret: string }, id: number) => anybody['download-shared-media']({ params: { secret, id } })
    const [none, preview, original] = await Promise.all(links.map((link) => download(link, inRoot)))
    assert.equal(none!.status, 403)
    for (const { body } of [preview!, original!]) assert.equal((await fetch(body.url)).status, 200)
    assert.equal((await download(links[2]!, inOutside)).status, 404)
    const counted = await Promise.all(links.map(async ({ id }) => (await client['get-share']({ params: { shareId: id } })).body.downloads))
    assert.deepEqual(counted, [0, 1, 1])
  })

  test('give zips of what they show, to whoever has the link, without an e-mail', async () => {
    const [lent, mine] = [await folder('Lent'), await folder('Zipped')]
    const borrower = await person()
    await accounts.grant(lent, borrower.userId, ['READ'])
    await accounts.grant(mine, borrower.userId, ['READ', 'WRITE'])
    const own = await picture(mine, 'own.jpg')
    await borrower.client['copy-media']({ params: { id: await picture(lent, 'lent.jpg'), folderId: mine } })
    const link = await make({ folder_id: mine, allow: { download: 'original' } }, borrower)
    const { body: job } = await anybody['create-shared-zip']({ params: { secret: link.secret } })
    const state = async (secret: string) => (await anybody['get-shared-zip']({ params: { secret, job_id: job.job_id } })).body
    await expect.poll(async () => (await state(link.secret)).state, { timeout: 120_000 }).toBe('DONE')
    const archive = Buffer.from(await (await fetch((await state(link.secret)).url!)).arrayBuffer()).toString('latin1')
    assert.ok(archive.includes('own.jpg') && !archive.includes('lent.jpg'))
    const other = await make({ folder_id: mine, allow: { download: 'original' } }, borrower)
    assert.equal((await anybody['get-shared-zip']({ params: { secret: other.secret, job_id: job.job_id } })).status, 404)
    assert.equal((await borrower.client['get-zip']({ params: { job_id: job.job_id } })).status, 404)
    const lookOnly = await make({ folder_id: mine, allow: { download: 'none' } }, borrower)
    assert.equal((await anybody['create-shared-zip']({ params: { secret: lookOnly.secret } })).status, 403)
    const params = { secret: link.secret }
    assert.equal((await anybody['create-shared-zip']({ params, body: { folder_id: outside } })).status, 404)
    const ofFiles = async (media_ids: number[]) => anybody['create-shared-zip']({ params, body: { media_ids } })
    assert.deepEqual([(await ofFiles([own])).status, (await ofFiles([own, inOutside])).status], [200, 404])
  })

  describe('to previews', () => {
    type Zip = Awaited<ReturnType<(typeof anybody)['get-shared-zip']>>['body']
    const asked = async (secret: string, folder_id?: number) =>
      (await anybody['create-shared-zip']({ params: { secret }, body: folder_id === undefined ? {} : { folder_id } })).body
    const ended = async (secret: string, { job_id }: Pick<Zip, 'job_id'>): Promise<Zip> => {
      const state = async () => (await anybody['get-shared-zip']({ params: { secret, job_id } })).body
      await expect.poll(async () => (await state()).state, { timeout: 240_000, interval: 200 }).not.toBe('PENDING')
      return state()
    }
    const zipped = async (secret: string, folder_id?: number) => {
      const { state, url } = await ended(secret, await asked(secret, folder_id))
      assert.equal(state, 'DONE')
      const entries = await unzipped(Buffer.from(await (await fetch(url!)).arrayBuffer()))
      return new Map(entries.map(({ path, bytes }) => [path, bytes]))
    }
    const downloaded = async (secret: string, id: number) => {
      const { body } = await anybody['download-shared-media']({ params: { secret, id } })
      return Buffer.from(await (await fetch(body.url)).arrayBuffer())
    }
    const textFile = (into: number, name: string) => uploadAndImport(client, into, Buffer.from('To be read.'), name)
    const change = async (shareId: string, download: 'none' | 'preview' | 'original') =>
      assert.equal((await client['change-share']({ params: { shareId }, body: { allow: { download } } })).status, 200)

    test('give zips of what single downloads give, and leave out what has no preview', async () => {
      const top = await folder('Previews')
      const inner = await folder('Inner', top)
      const [large, small] = [await images['wide.jpg'](), await images['plain.jpg']()]
      const upload = async (into: number, bytes: Buffer, name: string) => Number((await uploadAndImport(client, into, bytes, name)).id)
      const ids = [await upload(top, large, 'a.jpg'), await upload(top, small, 'a.png'), await upload(inner, small, 'b.jpg')] as const
      await client['set-copyright']({ params: { id: ids[0] }, body: 'The harbour' })
      await textFile(top, 'read me.txt')
      const links = [
        { ...(await make({ folder_id: top, allow: { download: 'preview' } })), under: 'Inner/' },
        { ...(await make({ media_ids: [...ids], allow: { download: 'preview' } })), under: '' },
      ]
      for (const { secret, under } of links) {
        const zip = await zipped(secret)
        assert.deepEqual([...zip.keys()].toSorted(), [`${under}b_1600px.jpg`, 'a_1600px (2).jpg', 'a_1600px.jpg'].toSorted())
        for (const [path, id] of [
          ['a_1600px.jpg', ids[0]],
          ['a_1600px (2).jpg', ids[1]],
          [`${under}b_1600px.jpg`, ids[2]],
        ] as const) {
          assert.ok(zip.get(path)!.equals(await downloaded(secret, id)), path)
        }
        assert.ok([...zip.values()].every((bytes) => !bytes.equals(large) && !bytes.equals(small)))
      }
      assert.deepEqual([...(await zipped(links[0]!.secret, inner)).keys()], ['b_1600px.jpg'])
    })

    test('give the previews of films in zips', { ...withVideos, ...elsewhere }, async () => {
      const into = await folder('Films')
      const film = await readFile(await testVideo({ seconds: 1 }))
      const { id } = await uploadAndImport(client, into, film, 'film.mov')
      const { secret } = await make({ folder_id: into, allow: { download: 'preview' } })
      const zip = await zipped(secret)
      assert.deepEqual([...zip.keys()], ['film_preview.mp4'])
      assert.ok(zip.get('film_preview.mp4')!.equals(await downloaded(secret, Number(id))))
    })

    test('hand out no zip that was asked for while they gave something else', async () => {
      const into = await folder('Changing')
      await picture(into, 'a.jpg')
      const { id, secret } = await make({ folder_id: into, allow: { download: 'original' } })
      const get = async ({ job_id }: Zip) => (await anybody['get-shared-zip']({ params: { secret, job_id } })).status
      const originals = await ended(secret, await asked(secret))
      await change(id, 'preview')
      assert.equal(await get(originals), 404)
      const previews = await asked(secret)
      assert.notEqual(previews.job_id, originals.job_id)
      assert.deepEqual([...(await zipped(secret)).keys()], ['a_1600px.jpg'])
      assert.equal((await asked(secret)).job_id, previews.job_id)
      await change(id, 'none')
      assert.deepEqual([await get(originals), await get(previews)], [403, 403])
      await change(id, 'original')
      assert.deepEqual([await get(originals), await get(previews)], [200, 404])
      assert.deepEqual([...(await zipped(secret)).keys()], ['a.jpg'])
    })
  })
})
