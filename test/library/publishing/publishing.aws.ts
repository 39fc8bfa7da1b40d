import assert from 'node:assert/strict'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, test } from 'vitest'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { getLink, stateOf } from '../../../shared/library/links/link.ts'
import { publicKeys } from '../../../shared/library/links/public-keys.ts'
import { invalidateEdges } from '../../../shared/library/publishing/invalidate-edges.ts'
import { temporaryBucket } from '../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { TestClock } from '../../support/library.ts'
import { setUpIn } from './set-up.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const [dynamo, s3] = [patientClient(), new S3Client({})]
afterAll(() => {
  dynamo.destroy()
  s3.destroy()
})

test('a link is published from one bucket of S3 into another, replaced and withdrawn, though runs come at the same time', async () => {
  const [{ tableName, remove }, from, to] = await Promise.all([makeTemporaryTable(dynamo), temporaryBucket(s3), temporaryBucket(s3)])
  try {
    const clock = new TestClock()
    const stores = { table: dynamoTable({ tableName, client: dynamo }), media: from.objects, publicFiles: to.objects, clock }
    const { create, change, file, publish, master, link, stored, publishing, making, library, publicFiles } = await setUpIn(stores)
    const telling = { ...publishing, clock: clock.hasty, edgeCache: embeddedEdgeCache(), log: making.log }
    const told = () => invalidateEdges(telling, () => false)
    const created = await create(await file({ filename: 'Grüße.jpg' }))
    const { linkId } = created
    await Promise.all([publish(created), publish(created)])
    await publish(created)
    await master(created)
    assert.equal(stateOf(await link(linkId)), 'active')
    const { cacheTag, contentType, disposition } = (await publicFiles.head(publicKeys.copy(created)))!
    assert.deepEqual({ cacheTag, contentType }, { cacheTag: `link-${linkId}`, contentType: 'image/jpeg' })
    assert.match(disposition ?? '', /^inline; filename="Gru_e.jpg"/)

    await change(created, await file())
    await publish(created)
    await master(await link(linkId))
    assert.equal(stateOf(await link(linkId)), 'replacing')
    await told()
    assert.equal(stateOf(await link(linkId)), 'active')
    const objects = await stored()
    assert.equal(objects[publicKeys.copy(created)], 'file 2')
    const sources = [publicKeys.original, publicKeys.master, publicKeys.smallMaster].map((keyOf) => keyOf(linkId, 2))
    assert.deepEqual(Object.keys(objects).sort(), [publicKeys.copy(created), publicKeys.manifest(created), ...sources].sort())

    await change(created, null)
    await publish(created)
    assert.deepEqual(await stored(), {})
    await told()
    assert.equal(await getLink(library, linkId), undefined)
  } finally {
    await Promise.all([remove(), from.close(), to.close()])
  }
})
