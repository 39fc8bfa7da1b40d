import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { type FieldEntry, fieldEntries, valuesByName } from '../../shared/vocabulary/editable-fields.ts'
import { emptyValues, type FieldKind } from '../../shared/vocabulary/field-values.ts'
import { images } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'

/** A value of each kind, as searches answer it; a bulk change, and what it makes of the value. */
const samples: { [Kind in FieldKind]: { value: unknown; found: unknown; change: unknown; after: unknown } } = {
  texts: { value: { en: 'Zephyr' }, found: 'Zephyr', change: { da: 'Båd' }, after: { en: 'Zephyr', da: 'Båd' } },
  keywords: { value: { en: ['Zephyr'] }, found: ['Zephyr'], change: { en: { add: ['b'] } }, after: { en: ['Zephyr', 'b'] } },
  line: { value: 'Zephyr', found: 'Zephyr', change: 'Bo', after: 'Bo' },
  day: { value: '2031-01-31', found: '2031-01-31', change: '2032-01-31', after: '2032-01-31' },
  flag: { value: true, found: true, change: false, after: false },
  point: { value: { x: 0.5, y: 0.25 }, found: { x: 0.5, y: 0.25 }, change: { x: 0, y: 1 }, after: { x: 0, y: 1 } },
}

describe('the editable field', async () => {
  const { service } = await serviceWithAccounts()
  const client = await service.client()
  const bytes = await images['plain.png']()

  async function file() {
    const id = Number((await uploadAndImport(client, service.demo.folder_id, bytes, 'plain.png')).id)
    const params = { id }
    const post = async (body: object) => assert.equal((await client['replace-metadata']({ params, body })).status, 200)
    const shown = async ({ name, in: places }: FieldEntry) => {
      const { body } = await client['get-media']({ params })
      assert.ok('metadata' in body)
      return (places[0] === 'metadata' ? body.metadata : body)[name as never]
    }
    const search = async (query: object) => (await client['search-media']({ query: query as never })).body.response.media
    const ended = async (job_id: string) => {
      const { state, changed, refused } = await until(async () => {
        const { body } = await client['get-bulk']({ params: { job_id } })
        return body.state !== 'PENDING' && body
      })
      assert.deepEqual({ state, changed, refused }, { state: 'DONE', changed: 1, refused: [] })
    }
    return { id, post, shown, search, ended }
  }

  for (const entry of fieldEntries) {
    const { name, is, in: places, searched, later } = entry
    const { value, found, change, after } = samples[is]
    test(name, async () => {
      const { id, post, shown, search, ended } = await file()
      await post({ [name]: value })
      assert.deepEqual(await shown(entry), value)
      const [hit] = await search({ unique_media_id: id, return_values: name })
      assert.deepEqual(hit, places.includes('search') ? { [name]: found } : {})
      if (searched) assert.deepEqual(await search({ q: 'zephyr', unique_media_id: id, return_values: 'media_id' }), [{ media_id: id }])
      if (places.includes('bulk')) {
        const { body } = await client['change-media-in-bulk']({ body: { select: { ids: [id] }, change: { [name]: change } } })
        await ended(body.job_id)
        assert.deepEqual(await shown(entry), after)
        await ended((await client['undo-bulk']({ params: { job_id: body.job_id } })).body.job_id)
        assert.deepEqual(await shown(entry), value)
        const { body: history } = await client['get-history']({ params: { id } })
        const [undone] = history.entries
        assert.deepEqual(
          { changed: undone?.changed, before: undone?.before, after: undone?.after },
          { changed: [name], before: { [name]: after }, after: { [name]: value } },
        )
        await client['revert-change']({ params: { id, version: undone!.version }, body: {} })
        assert.deepEqual(await shown(entry), after)
        await post({ [name]: value })
      }
      await post({})
      const isKept = later || places[0] === 'document'
      assert.deepEqual(await shown(entry), isKept ? value : emptyValues[is])
    })
  }

  test('stands in the document of every file, also where nobody filled it', async () => {
    const { shown } = await file()
    for (const entry of fieldEntries) assert.deepEqual(await shown(entry), valuesByName({})[entry.name])
  })
})
