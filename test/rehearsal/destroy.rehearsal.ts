import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { inventory } from '../support/aws/stack-inventory.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { images } from '../support/pictures/index.ts'
import { startService } from '../support/service.ts'
import { upload, uploadAndImport } from '../support/uploading.ts'
import { before, cdk, deployed, stack } from './changing.ts'

describe('destroying the stack', () => {
  test('with objects in its buckets nothing is left, not even a log group', async () => {
    const service = await startService()
    const client = await service.client()
    await uploadAndImport(client, service.demo.folder_id, await images['plain.jpg'](), 'kept.jpg')
    await upload(client, service.demo.folder_id, Buffer.from('waiting'), 'waiting.txt')
    await cdk.destroy(await deployed())
    assert.match((await stateOf(stack)).status, /ABSENT|DELETE_COMPLETE/)
    assert.deepEqual(await inventory(process.env), before)
  })
})
