import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { endpoints } from '../../functions/endpoints.ts'
import type { ApiClient } from '../../shared/http/declaration/client.ts'
import { putMedia } from '../support/media.ts'
import { images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { uploadAndImport } from '../support/uploading.ts'

/** Parameters that no search takes, each beside right ones. */
const wrongSearch = {
  direction: 'asc',
  order: 'distance',
  media_count: -1,
  media_offset: 9_999,
  media_type: 'picture',
  orientation: 'square',
  min_date: 'yesterday',
  max_date: '2025-02-30T00:00:00Z',
  thumbnail_size: '100px',
  query_type: 'fuzzy',
  min_width: 'wide',
  max_expiration_date: '2025-13-01',
  unique_media_id: 'x',
  recursive: 'maybe',
  exclude_expired_media: 'maybe',
  return_values: '',
}

describe('searching', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()
  const folder = (await client['create-folder']({ body: { name: 'Searched' } })).body.id
  const below = (await client['create-folder']({ body: { name: 'Below', parent: folder } })).body.id
  const put = async (mediaId: number, media: Partial<Parameters<typeof putMedia>[1]>) => {
    const modified = Date.now()
    await putMedia(accounts.table, { companyId: service.demo.company_id, folders: [folder], modified, ...media, mediaId })
    return mediaId
  }
  const day = (n: number) => Date.UTC(2025, 5, n)
  const ids = {
    lake: await put(101, {
      title: { en: 'Blåbær by the lake' },
      description: { en: 'A quiet morning' },
      keywords: { en: ['summer', 'water lily'] },
      byline: 'Ann Author',
      copyright: '© Ann',
      filename: 'IMG_1234-lakeSide.jpg',
      created: day(1),
      cameraCreated: day(1) / 1000,
      width: 3508,
      height: 2480,
      geolocation: { source: 'exif', latitude: '55.6', longitude: '12.5' },
    }),
    boat: await put(102, {
      title: { en: 'Boat' },
      keywords: { en: ['water', 'lily'] },
      created: day(2) + 700,
      width: 800,
      height: 1200,
      folders: [below],
    }),
    film: await put(103, {
      title: { en: 'Film of a boat' },
      kind: 'video',
      created: day(3),
      width: null,
      height: null,
      geolocation: { source: 'exif', latitude: '57', longitude: '10' },
    }),
    expired: await put(104, { title: { en: 'Old boat' }, created: day(4), expires: '2020-01-01', width: 500, height: 500 }),
  }

  const search = async (query: Record<string, string | number | boolean | number[]>) => {
    const { status, body } = await client['search-media']({ query: { return_values: 'unique_media_id', ...query } })
    assert.equal(status, 200, JSON.stringify(body))
    return { ...body, ids: body.response.media.map(({ unique_media_id }) => unique_media_id) }
  }
  const found = async (query: Parameters<typeof search>[0]) => (await search({ folder_ids: [folder, below], ...query })).ids
  const status = async (query: Record<string, string | number>) => (await client['search-media']({ query })).status

  test('without anything to look for there is nothing; without values to return it is 400', async () => {
    assert.deepEqual((await search({})).response, { hits: 0, media: [] })
    assert.deepEqual((await search({ folder_ids: '', q: '' })).response, { hits: 0, media: [] })
    for (const q of ['*', '-', '& %']) assert.deepEqual((await search({ q })).response, { hits: 0, media: [] }, q)
    assert.equal(await status({ q: 'boat' }), 400)
    assert.equal(await status({ q: 'boat', return_values: '' }), 400)
    assert.equal(await status({ q: 'boat', return_values: 'nonsense' }), 200)
  })

  test('with all=1 there is everything that the caller may read, the trash left out', async () => {
    const of = async (person: ApiClient<typeof endpoints>, query: Record<string, string | number>) => {
      const { body } = await person['search-media']({ query: { return_values: 'unique_media_id', ...query } })
      return body.response.media.map(({ unique_media_id }) => unique_media_id)
    }
    const all = [ids.expired, ids.film, ids.boat, ids.lake]
    assert.deepEqual(await of(client, { all: 1 }), all)
    assert.deepEqual(await of(client, { all: 1, media_type: 'video' }), [ids.film])
    assert.deepEqual(await of(client, { all: 1, q: 'lake' }), [ids.lake])
    assert.deepEqual(await of(client, { all: 1, folder_ids: below }), [ids.boat])
    assert.deepEqual(await of(client, { all: 0 }), [])
    assert.equal(await status({ all: 'yes', return_values: 'title' }), 400)
    const { client: theirs, ...reader } = await person()
    assert.deepEqual(await of(theirs, { all: 1 }), [])
    await accounts.grant(below, reader.userId, ['READ'])
    assert.deepEqual(await of(theirs, { all: 1 }), [ids.boat])
    const { id } = await uploadAndImport(client, folder, Buffer.from('text'), 'thrown-away.txt')
    await client['move-media-to-trash']({ params: { id: Number(id), folderId: folder } })
    assert.deepEqual(await of(client, { all: 1 }), all)
  })

  test('folders: those listed, with recursive also those below; of strangers nothing', async () => {
    assert.deepEqual((await search({ folder_ids: folder })).ids, [ids.expired, ids.film, ids.lake])
    assert.deepEqual((await search({ folder_ids: folder, recursive: 'true' })).ids, [ids.expired, ids.film, ids.boat, ids.lake])
    assert.deepEqual((await search({ folder_ids: 1 })).ids, [])
    const { client: theirs, ...stranger } = await person()
    const ask = async () =>
      (await theirs['search-media']({ query: { q: 'boat', return_values: ['unique_media_id', 'folder_ids'] } })).body.response
    assert.deepEqual(await ask(), { hits: 0, media: [] })
    await accounts.grant(below, stranger.userId, ['READ'])
    assert.deepEqual(await ask(), { hits: 1, media: [{ unique_media_id: ids.boat, folder_ids: [below] }] })
    await accounts.grant(below, stranger.userId, ['WRITE'])
    assert.deepEqual(await ask(), { hits: 0, media: [] }, 'a right taken away is gone at once')
  })

  test('terms: all must match, in any field, ignoring case and diacritics; minus excludes, quotes group', async () => {
    const cases: [string, number[]][] = [
      ['boat', [ids.expired, ids.film, ids.boat]],
      ['BOA', [ids.expired, ids.film, ids.boat]],
      ['film+boat', [ids.film]],
      ['boat -film', [ids.expired, ids.boat]],
      ['blabaer', [ids.lake]],
      ['Blåbær', [ids.lake]],
      ['quiet', [ids.lake]],
      ['author', [ids.lake]],
      ['1234', [ids.lake]],
      ['side', [ids.lake]],
      ['img_1234', [ids.lake]],
      ['102', [ids.boat]],
      ['water lily', [ids.boat, ids.lake]],
      ['"water lily"', [ids.lake]],
      ['oat', []],
    ]
    for (const [q, expected] of cases) assert.deepEqual((await found({ q })).toSorted(), expected.toSorted(), q)
    assert.deepEqual(await found({ q: 'boa', query_type: 'strict_and_search' }), [])
    assert.deepEqual((await found({ q: 'oat', query_type: 'wildcards' })).toSorted(), [ids.boat, ids.film, ids.expired].toSorted())
  })

  test('filters', async () => {
    const cases: [Record<string, string | number>, number[]][] = [
      [{ media_type: 'video' }, [ids.film]],
      [{ media_type: 'video+image' }, [ids.expired, ids.film, ids.boat, ids.lake]],
      [{ orientation: 'horizontal' }, [ids.lake]],
      [{ orientation: 'vertical' }, [ids.boat]],
      [{ resolution: 'a4' }, [ids.lake]],
      [{ resolution: 'a3' }, []],
      [{ min_width: 800 }, [ids.boat, ids.lake]],
      [{ min_height: 1200, min_width: 1000 }, [ids.lake]],
      [{ exclude_expired_media: 'true' }, [ids.film, ids.boat, ids.lake]],
      [{ max_expiration_date: '2020-01-01' }, [ids.expired]],
      [{ min_expiration_date: '2020-01-02' }, []],
      [{ min_date: '2025-06-02T00:00:00Z', max_date: '2025-06-03T00:00:00Z' }, [ids.film, ids.boat]],
      [{ min_date: '2025-06-02T00:00:00Z', max_date: '2025-06-02T00:00:00Z' }, [ids.boat]],
      [{ date_filter_field: 'camera_created', min_date: '2025-01-01T00:00:00Z' }, [ids.lake]],
      [{ unique_media_id: `${ids.boat}+${ids.film}` }, [ids.film, ids.boat]],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await found(query), expected, JSON.stringify(query))
  })

  test('order and paging', async () => {
    assert.deepEqual(await found({ order: 'created', direction: 'asc' }), [ids.lake, ids.boat, ids.film, ids.expired])
    assert.deepEqual(await found({ order: 'distance', latitude: 57, longitude: 10 }), [ids.film, ids.lake, ids.expired, ids.boat])
    assert.equal((await found({ latitude: 57, longitude: 10 })).length, 4, 'a place alone filters nothing')
    const page = await search({ folder_ids: [folder, below], media_count: 2, media_offset: 1 })
    assert.deepEqual([page.response.hits, page.media_count, page.media_offset, page.ids], [4, 2, 1, [ids.film, ids.boat]])
    const count = await search({ folder_ids: [folder, below], media_count: 0 })
    assert.deepEqual([count.response.hits, count.media_count, count.ids], [4, 0, []])
    assert.equal((await search({ folder_ids: folder, media_count: 999_999 })).media_count, 3)
  })

  test('bad parameters are 400', async () => {
    for (const [name, value] of Object.entries({ ...wrongSearch, folder_ids: 'x' })) {
      assert.equal(await status({ q: 'boat', return_values: 'title', [name]: value }), 400, name)
    }
  })

  test('a query of many short substrings is refused with a sentence that says why', async () => {
    const ask = (q: string, type = {}) => client['search-media']({ query: { q, return_values: 'title', ...type } })
    const wildcards = { query_type: 'wildcards' }
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const { status: refused, body } = await ask(letters.map((letter) => `${letter}s`).join(' '), wildcards)
    assert.equal(refused, 400)
    assert.match(JSON.stringify(body), /more than 2 parts of words that are shorter than 3 characters/)
    assert.equal((await ask('oa at lake', wildcards)).status, 200)
    assert.equal((await ask(letters.join(' '))).status, 200)
  })

  test('values have the types that clients rely on', async () => {
    const names =
      'keywords folder_tags suggested_keywords media_type height width unique_media_id media_id folder_id folder_ids created title titles description thumbnail_url thumbnail_url_ssl filename copyright camera_created byline expiration_date file_mimetype file_disksize uploaded_by geo_location cdn_urls version thumbhash file_md5 focal_point'
    const { body } = await client['search-media']({
      query: { unique_media_id: [ids.lake, ids.boat], return_values: names.split(' '), order: 'created', direction: 'asc' },
    })
    const [lake, boat] = body.response.media
    assert.deepEqual(Object.keys(lake!).sort(), names.split(' ').sort())
    assert.deepEqual(
      [lake!.title, lake!.camera_created, lake!.created],
      ['Blåbær by the lake', Date.UTC(2025, 5, 1) / 1000, '2025-06-01 00:00:00'],
    )
    assert.deepEqual(lake!.titles, { en: 'Blåbær by the lake' })
    assert.deepEqual(lake!.geo_location, { latitude: '55.6', longitude: '12.5' })
    assert.deepEqual(
      [boat!.description, boat!.byline, boat!.camera_created, boat!.geo_location, boat!.cdn_urls],
      [null, null, null, {}, []],
    )
    const ended = await client['search-media']({ query: { unique_media_id: ids.expired, return_values: 'expiration_date' } })
    assert.deepEqual([lake!.expiration_date, ended.body.response.media[0]!.expiration_date], [null, '2020-01-01'])
    assert.deepEqual([lake!.version, lake!.file_md5, lake!.thumbhash], [1, '0'.repeat(32), null])
    const seconds = Number(new URL(lake!.thumbnail_url!).searchParams.get('Expires')) - Date.now() / 1000
    assert.ok(seconds > 86_400 - 300 && seconds < 90_000 + 300, `${seconds}`)
  })

  test('parameters may be repeated, bracketed, joined by plus, space or comma', async () => {
    const authorization = await service.signIn()
    for (const query of [
      `unique_media_id=${ids.boat}%2B${ids.film}&return_values=title+width`,
      `unique_media_id=${ids.boat}+${ids.film}&return_values=title%20width`,
      `unique_media_id=${ids.boat},${ids.film}&return_values=title,width`,
      `unique_media_id[]=${ids.boat}&unique_media_id[]=${ids.film}&return_values[]=title&return_values[]=width`,
      `unique_media_id%5B%5D=${ids.boat}&unique_media_id%5B%5D=${ids.film}&return_values%5B%5D=title&return_values%5B%5D=width`,
      `&media_id=${ids.boat},${ids.film}&&return_values=title+width&unknown=1&media_count=`,
    ]) {
      const response = await service.request(`/search?${query}`, { headers: { authorization } })
      const { response: answer } = (await response.json()) as { response: { hits: number; media: object[] } }
      assert.deepEqual([answer?.hits, Object.keys(answer?.media[0] ?? {}).sort()], [2, ['title', 'width']], query)
    }
  })

  test('an upload, a change and a removal show at once', async () => {
    const { id } = await uploadAndImport(client, folder, await images['plain.jpg'](), 'zeppelin.jpg')
    const { ids: found, response } = await search({ q: 'zeppelin', return_values: 'unique_media_id thumbhash' })
    assert.deepEqual(found, [id])
    const hash = Buffer.from(response.media[0]!.thumbhash!, 'base64')
    assert.ok(hash.length > 4 && hash.length <= 32)
    await client['set-title']({ params: { id: Number(id) }, body: { en: 'Airship' } })
    assert.deepEqual((await search({ q: 'airship zeppelin' })).ids, [id])
    await client['remove-media']({ params: { id: Number(id), folderId: folder } })
    assert.deepEqual((await search({ q: 'airship' })).ids, [])
  })
})
