import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { stockLanguages } from '../../shared/vocabulary/stock-language.ts'
import { elsewhere, routeSettings, startService } from '../support/service.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { stockItems } from '../support/stock-items.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { service, accounts, person } = await serviceWithAccounts()
const items = stockItems(accounts)

/** Begins words of these tests: a service elsewhere may have other items. */
const mark = Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')

type Query = Record<string, string | number | boolean | readonly (string | number)[]>

describe('searching the stock library', () => {
  let companyId: CompanyId
  let client: Person['client']
  beforeAll(async () => {
    companyId = await accounts.company('With stock')
    await items.allow(companyId)
    client = (await person({ companyId, admin: true })).client
  })

  const search = async (query: Query, by = client) => {
    const { status, body } = await by['search-stock']({ query: { return_values: 'unique_media_id', ...query } })
    assert.equal(status, 200, JSON.stringify(body))
    return { ...body, ids: body.response.media.map(({ unique_media_id }) => unique_media_id) }
  }
  const found = async (query: Query) => (await search(query)).ids
  const refusal = async (query: Query, by = client) => {
    const { status, body } = await by['search-stock']({ query })
    return [status, (body as { code?: string }).code]
  }

  describe('in several languages', () => {
    /** All sets of languages that an item may have. */
    const sets = Array.from({ length: 16 }, (_, bits) => ['en', 'da', 'de', 'sv'].filter((_, n) => bits & (1 << n)))
    const texts = <Value>(languages: string[], text: (language: string) => Value) =>
      Object.fromEntries(languages.map((language) => [language, text(language)]))
    const ids = new Map<string, number>()
    beforeAll(async () => {
      for (const languages of sets) {
        const title = texts(languages, (language) => `${mark}title${language} end${language}`)
        const description = texts(languages, (language) => `start${language} ${mark}description${language}`)
        const keywords = texts(languages, (language) => [`${mark}keyword${language}`, `last${language}`])
        ids.set(languages.join(), await items.item({ title, description, keywords }))
      }
    })

    test('each text is shown in the language asked for, else in English, else in the first other one', async () => {
      for (const lang of [undefined, ...stockLanguages]) {
        for (const languages of sets) {
          const shown = [lang ?? 'en', 'en', ...languages.toSorted()].find((language) => languages.includes(language))
          const values = ['title', 'description', 'keywords']
          const { response } = await search({
            unique_media_id: ids.get(languages.join())!,
            return_values: values,
            ...(lang && { lang }),
          })
          const expected = shown
            ? {
                title: `${mark}title${shown} end${shown}`,
                description: `start${shown} ${mark}description${shown}`,
                keywords: [`${mark}keyword${shown}`, `last${shown}`],
              }
            : { title: null, description: null, keywords: [] }
          assert.deepEqual(response.media, [expected], `${languages} in ${lang}`)
        }
      }
    })

    test('words of every language are found, whichever language is asked for', async () => {
      for (const language of ['en', 'da', 'de', 'sv']) {
        const having = sets.filter((languages) => languages.includes(language)).map((languages) => ids.get(languages.join())!)
        for (const field of ['title', 'description', 'keyword']) {
          for (const lang of stockLanguages) {
            assert.deepEqual((await found({ q: mark + field + language, lang })).toSorted(), having.toSorted(), `${field} ${language}`)
          }
        }
      }
      const both = sets.filter((languages) => languages.includes('da') && languages.includes('de'))
      assert.equal((await search({ q: `${mark}titleda ${mark}keywordde` })).response.hits, both.length)
      assert.equal((await search({ q: `${mark}titleda -${mark}keywordde` })).response.hits, 8 - both.length)
    })

    test('a phrase stays in one language of one text', async () => {
      const hits = async (q: string, query: Query = {}) => (await search({ q, ...query })).response.hits
      const phrases = (one: string, other: string) => [
        `"end${one} ${mark}title${other}"`,
        `"${mark}description${one} start${other}"`,
        `"last${one} ${mark}keyword${other}"`,
      ]
      assert.deepEqual([await hits(`"${mark}titleda endda"`), await hits(`"startda ${mark}descriptionda"`)], [8, 8])
      for (const one of ['en', 'da', 'de', 'sv']) {
        for (const phrase of ['en', 'da', 'de', 'sv'].flatMap((other) => phrases(one, other))) {
          assert.deepEqual([await hits(phrase), await hits(phrase, { query_type: 'wildcards' })], [0, 0], phrase)
        }
      }
    })
  })

  test('own media are never found here, and items never among own media, by their ids neither', async () => {
    const { id: folder } = (await client['create-folder']({ body: { name: 'Own' } })).body
    const own = Number((await uploadAndImport(client, folder, Buffer.from('text'), `${mark}both.txt`)).id)
    await client['set-title']({ params: { id: own }, body: { en: `${mark}both`, da: `${mark}dansk` } })
    const item = await items.item({ title: { en: `${mark}both`, da: `${mark}dansk` } })
    const ownSearch = async (query: Query) => {
      const { body } = await client['search-media']({ query: { return_values: 'unique_media_id', ...query } })
      return body.response.media.map(({ unique_media_id }) => unique_media_id)
    }
    assert.deepEqual([await found({ q: `${mark}both` }), await ownSearch({ q: `${mark}both` })], [[item], [own]])
    assert.deepEqual([await found({ q: `${mark}dansk` }), await ownSearch({ q: `${mark}dansk` })], [[item], []])
    for (const name of ['unique_media_id', 'media_id']) {
      assert.deepEqual([await found({ [name]: [own, item] }), await ownSearch({ [name]: [own, item] })], [[item], [own]])
    }
    for (const id of [own, item]) {
      assert.deepEqual(await found({ q: String(id) }), id === item ? [item] : [])
      assert.deepEqual(await ownSearch({ q: String(id) }), id === own ? [own] : [])
    }
  })

  test('words, filters and pages are those of a search of own media, but for folders', async () => {
    const q = `${mark}page`
    const ids: number[] = []
    for (const word of ['one', 'two', 'three']) ids.push(await items.item({ title: { en: `${q} ${word}` } }))
    const [one, two, three] = ids as [number, number, number]
    assert.deepEqual((await found({ q: `${q} -two` })).toSorted(), [one, three].toSorted())
    assert.deepEqual(await found({ q: `${q} hre`, query_type: 'wildcards' }), [three])
    assert.deepEqual(await found({ q, unique_media_id: [two] }), [two])
    assert.deepEqual(await found({ q, media_type: 'video' }), [])
    const { response, ids: page } = await search({ q, media_count: 2, media_offset: 2 })
    assert.deepEqual([response.hits, page.length], [3, 1])
    const nothing: Query[] = [{}, { q: '' }, { media_type: 'image' }]
    for (const query of nothing) assert.deepEqual((await search(query)).response, { hits: 0, media: [] })
    const ofFolders: Query[] = [{ folder_ids: 1 }, { return_values: 'title folder_ids' }]
    for (const query of ofFolders) assert.deepEqual(await refusal({ q, return_values: 'title', ...query }), [400, 'invalid_input'])
  })

  describe('takes the right of a company', () => {
    const query = { q: mark, return_values: 'title' }

    test('without it, and as soon as it is taken away, it is 403', async () => {
      const other = await accounts.company('Without stock')
      const [admin, member] = [await person({ companyId: other, admin: true }), await person({ companyId: other })]
      for (const { client: theirs } of [admin, member]) {
        assert.deepEqual(await refusal(query, theirs), [403, 'stock_not_enabled'])
        assert.deepEqual(await refusal({ return_values: 'title' }, theirs), [403, 'stock_not_enabled'], 'also where it would find nothing')
      }
      await items.allow(other)
      for (const { client: theirs } of [admin, member]) assert.ok((await search(query, theirs)).response.hits > 0)
      await items.allow(other, false)
      for (const { client: theirs } of [admin, member]) assert.deepEqual(await refusal(query, theirs), [403, 'stock_not_enabled'])
    })

    test('the stock library of another name does not exist', async () => {
      const { authorization } = await person({ companyId })
      const status = async (vendor: string) =>
        (await service.request(`/search/${vendor}/download?q=${mark}&return_values=title`, { headers: { authorization } })).status
      assert.equal(await status(routeSettings.vendor), 200)
      for (const vendor of ['another', `${routeSettings.vendor}x`, 'VENDOR', '%3Cvendor%3E', '-'])
        assert.equal(await status(vendor), 404, vendor)
    })

    test('its name is a setting of the service', elsewhere, async () => {
      const other = await startService({ VENDOR: 'acme' })
      try {
        const headers = { authorization: await other.signIn() }
        const status = async (vendor: string) =>
          (await other.request(`/search/${vendor}/download?q=${mark}&return_values=title`, { headers })).status
        assert.deepEqual([await status('acme'), await status(routeSettings.vendor)], [200, 404])
      } finally {
        await other.stop()
      }
    })
  })
})
