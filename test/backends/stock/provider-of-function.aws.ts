import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { CreateSecretCommand, DeleteSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, describe, test } from 'vitest'
import { providerOfFunction, providerWithThumbnails } from '../../../shared/backends/stock/provider-of-function.ts'
import { FIRST_PROVIDED_ID } from '../../../shared/vocabulary/ids.ts'
import { startStockProvider } from '../../support/stock-provider.ts'

const client = new SecretsManagerClient()

describe('the provider of a function', async () => {
  const provider = await startStockProvider()
  const common = { id: 1, kind: 'image', created: '2024-01-01T12:00:00Z', filename: 'a.jpg', mime: 'image/jpeg', bytes: 1 } as const
  provider.items.set(1, { ...common, thumbnails: { '320px': 'https://cdn.example.com/1.jpg' } })
  const { ARN } = await client.send(new CreateSecretCommand({ Name: `stock-${randomUUID()}`, SecretString: provider.key }))
  const environment = { url: provider.url, hosts: 'files.example.com,cdn.example.com', keyArn: ARN }
  const mediaId = FIRST_PROVIDED_ID + 1
  afterAll(async () => {
    await client.send(new DeleteSecretCommand({ SecretId: ARN, ForceDeleteWithoutRecovery: true }))
    client.destroy()
    await provider[Symbol.asyncDispose]()
  })

  test('has its key from the operator’s secret, and its hosts from the environment', async () => {
    const stock = providerWithThumbnails(environment, async () => 'generic')!
    const item = (await stock.item(mediaId))!
    assert.equal(await stock.thumbnail(item, '320px'), 'https://cdn.example.com/1.jpg')
  })

  test('can not be used with another key, nor with none', async () => {
    await client.send(new PutSecretValueCommand({ SecretId: ARN, SecretString: 'another' }))
    const missing = ARN!.replace(/stock-.*/, 'stock-nowhere')
    for (const keyArn of [ARN, missing, undefined]) {
      await assert.rejects(providerOfFunction({ ...environment, keyArn })!.item(mediaId), { name: 'StockUnavailable' })
    }
  })

  test('is not there where the environment names none', () => {
    assert.equal(providerOfFunction({ url: undefined, hosts: undefined, keyArn: undefined }), undefined)
    assert.equal(
      providerWithThumbnails({ url: '', hosts: '', keyArn: '' }, async () => 'generic'),
      undefined,
    )
  })
})
