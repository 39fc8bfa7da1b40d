import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { openCatalogue } from '../../shared/library/stock/catalogue.ts'
import { contentsOf } from '../../shared/library/tree/folder.ts'
import { CATALOGUE } from '../../shared/vocabulary/ids.ts'
import { putMedia } from '../support/media.ts'
import { routeSettings } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { stockItems } from '../support/stock-items.ts'

const { service, accounts, person } = await serviceWithAccounts()

/** Of this run alone: a service elsewhere may have other items. */
const word = `param${Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')}`
const firstId = 1_000_000_000 + Math.floor(Math.random() * 900_000_000)
const [lake, boat, film, expired] = [firstId, firstId + 1, firstId + 2, firstId + 3] as const

type Query = Record<string, string | number | boolean | readonly (string | number)[]>

describe('a search of the stock library takes the parameters of a search of own media', () => {
  let authorization: string
  let client: Person['client']
  const day = (n: number) => Date.UTC(2025, 5, n)
  beforeAll(async () => {
    const companyId = await accounts.company('With stock')
    await stockItems(accounts).allow(companyId)
    ;({ authorization, client } = await person({ companyId }))
    const folder = await openCatalogue(accounts.library)
    const put = (mediaId: number, media: Partial<Parameters<typeof putMedia>[1]>) => {
      const identity = { mediaId, companyId: CATALOGUE, uploadedBy: 0, folders: [contentsOf(folder)] }
      return putMedia(accounts.table, { ...identity, modified: Date.now(), md5: undefined, ...media })
    }
    await put(lake, {
      title: { en: `${word} Blåbær by the lake`, de: 'Am See' },
      description: { da: 'En stille morgen' },
      keywords: { en: ['water lily'], de: ['Seerose'] },
      suggestedKeywords: ['Shore'],
      byline: 'Ann Author',
      copyright: '© Ann',
      filename: 'IMG_1234-lakeSide.jpg',
      created: day(1),
      cameraCreated: day(1) / 1000,
      width: 3508,
      height: 2480,
      bytes: 12_345,
      geolocation: { source: 'exif', latitude: '55.6', longitude: '12.5' },
    })
    await put(boat, { title: { da: `${word} Båd` }, keywords: { en: ['water', 'lily'] }, created: day(2), width: 800, height: 1200 })
    const place = { source: 'exif', latitude: '57', longitude: '10' }
    await put(film, { title: { de: `${word} Bootsfilm` }, kind: 'video', created: day(3), width: null, height: null, geolocation: place })
    await put(expired, { description: { en: `${word} old` }, created: day(4), expires: '2020-01-01', width: 500, height: 500 })
  })

  const search = async (query: Query) => {
    const { status, body } = await client['search-stock']({ query: { return_values: 'unique_media_id', ...query } })
    assert.equal(status, 200, JSON.stringify(body))
    return { ...body, ids: body.response.media.map(({ unique_media_id }) => unique_media_id) }
  }
  const found = async (query: Query) => (await search(query)).ids

  test('filters, terms, order and pages', async () => {
    const cases: [Query, number[]][] = [
      [{}, [expired, film, boat, lake]],
      [{ media_type: 'video' }, [film]],
      [{ orientation: 'vertical', min_width: 800 }, [boat]],
      [{ resolution: 'a4', recursive: 'true' }, [lake]],
      [{ exclude_expired_media: 'true', min_date: '2025-06-03T00:00:00Z' }, [film]],
      [{ date_filter_field: 'last_modified', max_date: '2025-12-31T00:00:00Z' }, []],
      [{ unique_media_id: [boat, film] }, [film, boat]],
      [{ q: `${word} blabaer` }, [lake]],
      [{ q: `${word} "water lily"` }, [lake]],
      [{ q: `${word} -lily -old` }, [film]],
      [{ q: `${word} ilm`, query_type: 'wildcards' }, [film]],
      [{ q: `${word} boots`, query_type: 'strict_and_search' }, []],
      [{ q: `${word} shore author 1234 side` }, [lake]],
      [{ q: String(boat) }, [boat]],
      [{ direction: 'asc' }, [lake, boat, film, expired]],
      [{ order: 'distance', latitude: 57, longitude: 10 }, [film, lake, expired, boat]],
      [{ media_count: 2, media_offset: 1 }, [film, boat]],
      [{ media_count: 0 }, []],
    ]
    for (const [query, expected] of cases) {
      assert.deepEqual(await found({ q: word, order: 'created', ...query }), expected, JSON.stringify(query))
    }
    const nothing: Query[] = [{}, { q: '' }, { q: '*' }, { media_type: 'image' }]
    for (const query of nothing) assert.deepEqual((await search(query)).response, { hits: 0, media: [] }, JSON.stringify(query))
  })

  test('folder_ids is 400 as a parameter and as a value, however it is written', async () => {
    const ask = async (query: string) => {
      const response = await service.request(`/search/${routeSettings.vendor}/download?q=${word}&${query}`, {
        headers: { authorization },
      })
      return [response.status, ((await response.json()) as { errors?: { path: string }[] }).errors?.map(({ path }) => path)]
    }
    for (const query of ['folder_ids=1', 'folder_ids[]=1', 'folder_ids=x', 'folder_ids=1&folder_ids=2']) {
      assert.deepEqual(await ask(`return_values=title&${query}`), [400, ['folder_ids']], query)
    }
    for (const values of [
      'return_values=folder_ids',
      'return_values=title+folder_ids',
      'return_values[]=title&return_values[]=folder_ids',
    ]) {
      const [status, paths] = await ask(values)
      assert.equal(status, 400, values)
      assert.match(String(paths), /^return_values/)
    }
    assert.deepEqual(await ask('return_values=title+unknown&folder_ids='), [200, undefined])
  })

  test('values have the types of own media, and say that an item is in no folder', async () => {
    const names =
      'keywords folder_tags suggested_keywords media_type height width unique_media_id media_id folder_id created title description thumbnail_url thumbnail_url_ssl filename copyright camera_created byline file_mimetype file_disksize uploaded_by geo_location cdn_urls'
    const { response } = await search({ unique_media_id: lake, return_values: names.split(' '), lang: 'de' })
    const [{ thumbnail_url: url, thumbnail_url_ssl: ssl, ...values } = {}] = response.media
    assert.deepEqual(values, {
      keywords: ['Seerose'],
      folder_tags: [],
      suggested_keywords: ['Shore'],
      media_type: 'image',
      height: 2480,
      width: 3508,
      unique_media_id: lake,
      media_id: lake,
      folder_id: null,
      created: '2025-06-01 00:00:00',
      title: 'Am See',
      description: 'En stille morgen',
      filename: 'IMG_1234-lakeSide.jpg',
      copyright: '© Ann',
      camera_created: day(1) / 1000,
      byline: 'Ann Author',
      file_mimetype: 'image/jpeg',
      file_disksize: 12_345,
      uploaded_by: 0,
      geo_location: { latitude: '55.6', longitude: '12.5' },
      cdn_urls: [],
    })
    for (const address of [url, ssl]) {
      const seconds = Number(new URL(address!).searchParams.get('Expires')) - Date.now() / 1000
      assert.ok(seconds > 86_400 - 300 && seconds < 90_000 + 300, `${seconds}`)
    }
  })
})
