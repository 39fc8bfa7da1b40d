import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../functions/endpoints.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { defaultSettings } from '../../shared/settings.ts'
import type { CompanyId } from '../../shared/vocabulary/ids.ts'
import { conformity } from '../support/conformity.ts'
import { images } from '../support/pictures/index.ts'
import { type Person, serviceWithAccounts } from '../support/service-with-accounts.ts'
import { harbour, stockItems } from '../support/stock-items.ts'
import { uploadAndImport } from '../support/uploading.ts'

const { service, accounts, person } = await serviceWithAccounts()
const stock = stockItems(accounts)
const conform = conformity(openApiDocument(endpoints, defaultSettings))

type Client = Person['client']

async function documentOf(client: Client, id: number) {
  const { status, body } = await client['get-media']({ params: { id } })
  conform('GET /media/{id}', status, body)
  assert.equal(status, 200)
  assert.ok('type' in body)
  return body
}

async function metadataOf(client: Client, id: number) {
  const { status, body } = await client['get-metadata']({ params: { id } })
  conform('GET /media/{id}/metadata', status, body)
  assert.equal(status, 200)
  return body
}

describe('documents of stock items', () => {
  let company: CompanyId
  let client: Client
  let picture: number
  beforeAll(async () => {
    company = await accounts.company('With stock')
    await stock.allow(company)
    client = (await person({ companyId: company })).client
    picture = await stock.harbour()
  })

  test('are like those of own files, but for the type, the uploader and the languages', async () => {
    const owner = await service.client()
    const { id } = await uploadAndImport(owner, service.demo.folder_id, await images['plain.jpg'](), 'harbour.jpg')
    const own = await documentOf(owner, Number(id))
    assert.deepEqual([own.type, own.media_type, own.uploaded_by], ['image', 'image', service.demo.user_id])
    const item = await documentOf(client, picture)
    assert.deepEqual(Object.keys(item), Object.keys(own))
    const { metadata } = item
    const { title, description, keywords } = harbour
    assert.deepEqual(item, {
      ...own,
      ...{ id: picture, type: 'stock', uploaded_by: 0, created: item.created },
      metadata: { ...own.metadata, title, description, keywords },
    })
    assert.deepEqual(await metadataOf(client, picture), metadata)
  })

  test('without a file say that there is none', async () => {
    const id = await stock.item({ title: { da: 'Kun ord' } })
    const { type, media_type, file_md5, file_disksize, width, height, metadata } = await documentOf(client, id)
    assert.deepEqual([type, media_type, file_md5, file_disksize, width, height], ['stock', 'generic', '', 0, null, null])
    assert.deepEqual(metadata.title, { da: 'Kun ord' })
    assert.deepEqual(await metadataOf(client, id), metadata)
  })
})
