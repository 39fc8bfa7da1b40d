import assert from 'node:assert/strict'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, test } from 'vitest'
import { destroyed } from '../support/aws/stack-destruction.ts'
import { inventory } from '../support/aws/stack-inventory.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { images } from '../support/pictures/index.ts'
import { startService } from '../support/service.ts'
import { upload, uploadAndImport } from '../support/uploading.ts'
import { before, deployed, stack } from './changing.ts'

describe('destroying the stack', () => {
  test('takes its name while files are in it, and leaves nothing, not even a log group', async () => {
    const service = await startService()
    const client = await service.client()
    await uploadAndImport(client, service.demo.folder_id, await images['plain.jpg'](), 'kept.jpg')
    await upload(client, service.demo.folder_id, Buffer.from('waiting'), 'waiting.txt')
    const { FailedChangesBucket: Bucket } = (await stateOf(stack)).outputs
    await new S3Client({ forcePathStyle: true }).send(new PutObjectCommand({ Bucket, Key: 'aws/lambda/given-up', Body: 'changes' }))
    const refused = await destroyed(deployed, 'another-library\n')
    assert.deepEqual([refused.code, (await stateOf(stack)).status.endsWith('COMPLETE')], [1, true], refused.out)
    assert.match(refused.out, /holds files.*Nothing was deleted/s)
    const ended = await destroyed(deployed, `${stack}\n`)
    assert.equal(ended.code, 0, ended.out)
    assert.match((await stateOf(stack)).status, /ABSENT|DELETE_COMPLETE/)
    assert.deepEqual(await inventory(process.env), before)
  })
})
