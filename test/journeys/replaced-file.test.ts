import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { type NumberedPicture, numberedPicture, shownNumber } from '../support/numbered-pictures.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { replace, uploadAndImport } from '../support/uploading.ts'

/** What a reader found: the picture that each part of an answer is of. */
type Found = readonly (number | undefined)[]

describe('a file that is replaced again and again', async () => {
  const { service } = await serviceWithAccounts()
  const isDeployed = service.directory === undefined
  // Emulators answer some requests a second.
  const replacements = isDeployed ? 3 : 20
  const client = await service.client()
  const anybody = await service.client('')
  const { company_id: company, folder_id: parent } = service.demo
  const cdn = service.demo.cdn_folder_id!
  const folder = (await client['create-folder']({ body: { name: 'Replaced', parent } })).body.id

  test('is the old or the new one to readers of everything, never both, and never one of before', async () => {
    const pictures: NumberedPicture[] = await Promise.all(Array.from({ length: replacements + 1 }, (_, n) => numberedPicture(n + 1)))
    const { filename, bytes } = pictures[0]!
    const id = Number((await uploadAndImport(client, folder, bytes, filename)).id)
    assert.equal((await client['set-title']({ params: { id }, body: { en: 'Title' } })).status, 200)
    await client['copy-media']({ params: { id, folderId: cdn } })
    const shared = async (allowed: 'original' | 'preview') => {
      const { body } = await client['create-share']({ body: { media_ids: [id], allow: { download: allowed } } })
      return body.url!.split('/').at(-1)!
    }
    const secrets = [await shared('original'), await shared('preview')]
    const link = async () => (await client['get-link']({ params: { company, folder: cdn, media: id } })).body
    await until(async () => (await link()).state !== 'queued')
    const url = (await link()).url!
    const iiif = url.replace(/\/([^/]+)\/([0-9a-f]{32})\.jpg$/, '/iiif/3/$1/$2')

    /** The picture with a property. */
    const pictureWith = <Name extends keyof NumberedPicture>(name: Name, value: unknown): number | undefined => {
      const at = pictures.findIndex((picture) => picture[name] === value)
      return at < 0 ? undefined : at + 1
    }
    const get = async (address: string) => {
      const response = await fetch(address)
      const body = Buffer.from(await response.arrayBuffer())
      return { status: response.status, body, name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] }
    }
    /** By the name that a download is saved under, which storage of an emulated stack doesn't tell. */
    const named = ({ name }: { name: string | undefined }): Found =>
      isDeployed ? [] : [pictureWith('filename', name?.replace(/_\d+px/, ''))]
    const md5 = (body: Buffer) => pictureWith('md5', createHash('md5').update(body).digest('hex'))
    const described = (one: Partial<Record<string, unknown>>): Found => [
      ...[pictureWith('filename', one.filename), pictureWith('width', one.width)],
      ...('file_md5' in one ? [pictureWith('md5', one.file_md5)] : []),
      ...('file_number' in one ? [Number(one.file_number)] : []),
    ]
    /** Nothing yet: the client is told to ask again. */
    const later = (status: number, statuses: readonly number[]): undefined => void assert.ok(statuses.includes(status), `${status}`)
    const download = async (query: { original?: '1' }) => {
      const { status, body } = await client['get-download-location']({ params: { id }, query: query as never })
      return status === 200 ? get(body.url) : later(status, [409])
    }

    const readers: Record<string, { count: number; read(): Promise<Found | undefined> }> = {
      document: {
        count: 6,
        async read() {
          const { status, body } = await client['get-media']({ params: { id } })
          assert.equal(status, 200)
          return described(body)
        },
      },
      search: {
        count: 6,
        async read() {
          const values = 'filename,file_number,file_md5,width,thumbnail_url'
          const { body } = await client['search-media']({ query: { unique_media_id: String(id), return_values: values } })
          const [one] = body.response.media
          return [...described(one!), await shownNumber((await get(one!.thumbnail_url!)).body)]
        },
      },
      'original as it is': {
        count: 6,
        async read() {
          const found = await download({ original: '1' })
          return found && [md5(found.body), ...named(found)]
        },
      },
      'original with metadata': {
        count: 6,
        async read() {
          const found = await download({})
          if (!found) return undefined
          const { width } = await sharp(found.body).metadata()
          return [await shownNumber(found.body), ...named(found), pictureWith('width', width)]
        },
      },
      size: {
        count: 5,
        async read() {
          const { status, body } = await client['get-sized-download-location']({ params: { id, size: '320px' } })
          if (status !== 200) return later(status, [409])
          const found = await get(body.url)
          return [await shownNumber(found.body), ...named(found)]
        },
      },
      link: {
        count: 6,
        async read() {
          const found = await get(url)
          assert.equal(found.status, 200)
          return [md5(found.body), ...named(found)]
        },
      },
      'link with a transformation': {
        count: 5,
        async read() {
          const { status, body } = await get(`${url}?width=64&output_format=png`)
          return status === 200 ? [await shownNumber(body)] : later(status, [503])
        },
      },
      IIIF: {
        count: 5,
        async read() {
          const { status, body } = await get(`${iiif}/info.json`)
          assert.equal(status, 200)
          const tile = await get(`${iiif}/0,0,100,100/max/0/default.png`)
          if (tile.status !== 200) return later(tile.status, [503])
          // They are two answers.
          await shownNumber(tile.body)
          return [pictureWith('width', (JSON.parse(body.toString()) as { width: number }).width)]
        },
      },
      share: {
        count: 5,
        async read() {
          const secret = secrets.reverse()[0]!
          const { body } = await anybody['list-shared']({ params: { secret } })
          const [one] = body.files
          const picture = await get(one!.thumbnail_url)
          const { status, body: location } = await anybody['download-shared-media']({ params: { secret, id } })
          if (status !== 200) return later(status, [409])
          const found = await get(location.url)
          const number = await shownNumber(found.body)
          assert.ok(named(found).every((each) => each === number))
          return [...described(one!), await shownNumber(picture.body)]
        },
      },
    }
    const isOfLinks = (kind: string) => kind === 'IIIF' || kind.startsWith('link')
    // A stack's edges take minutes to forget.
    const watched = Object.entries(readers).filter(([kind]) => !isDeployed || !isOfLinks(kind))
    /** The number that documents show, the one that links are active with, and the last that anybody may see. */
    let [current, active, begun, isOver] = [1, 1, 1, false]
    const seen = new Map(watched.map(([kind]) => [kind, new Set<number>()]))
    const reading = watched.flatMap(([kind, { count, read }]) =>
      Array.from({ length: isDeployed ? 1 : count }, async () => {
        while (!isOver) {
          const least = isOfLinks(kind) ? active : current
          const found = await read()
          if (found) {
            const [number = 0] = found
            assert.ok(
              found.every((each) => each === number),
              `${kind} is of several: ${found.join(', ')}`,
            )
            assert.ok(number >= least && number <= begun, `${kind} is ${number}, between ${least} and ${begun}`)
            seen.get(kind)!.add(number)
          }
          await sleep(20)
        }
      }),
    )
    const ended = Promise.all(reading).finally(() => {
      isOver = true
    })
    // Told at the end.
    ended.catch(() => undefined)
    for (let number = 2; number <= pictures.length && !isOver; number += 1) {
      begun = number
      const { bytes, filename } = pictures[number - 1]!
      assert.equal(await replace(client, id, bytes, filename), id)
      const fileNumber = async () => ((await client['get-media']({ params: { id } })).body as { file_number?: number }).file_number
      await until(async () => isOver || (await fileNumber()) === number)
      current = number
      if (!isDeployed) await until(async () => isOver || (await link()).state === 'active')
      active = number
      await until(() => isOver || [...seen.values()].every((numbers) => numbers.has(number)))
    }
    isOver = true
    await ended
  }, 600_000)
})
