import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { S3Client } from '@aws-sdk/client-s3'
import { describe, onTestFinished, test } from 'vitest'
import { dynamoTable } from '../../../shared/backends/table/dynamodb.ts'
import { readyDeliverables } from '../../../shared/library/downloads/copy-record.ts'
import { prepareDownload } from '../../../shared/library/downloads/prepare.ts'
import { expireDownloads, removeDownloadsOf } from '../../../shared/library/downloads/remove.ts'
import { editMetadata } from '../../../shared/library/media/edit.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { temporaryBucket } from '../../backends/objects/temporary-bucket.ts'
import { makeTemporaryTable } from '../../backends/table/temporary-table.ts'
import { patientClient } from '../../support/aws/patient-client.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { by, TestClock } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'
import { images } from '../../support/pictures/index.ts'

assert.ok(process.env.AWS_ENDPOINT_URL, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const WEEK = 7 * 86_400

describe('prepared downloads on AWS', async () => {
  const { exiftool, directory } = await temporaryExifTool()

  /** A library with one JPEG, made larger by what follows its image. */
  async function open(padding = 0) {
    const [client, s3] = [patientClient(), new S3Client({})]
    const [{ tableName, remove }, bucket] = await Promise.all([makeTemporaryTable(client), temporaryBucket(s3)])
    onTestFinished(async () => {
      await Promise.all([remove(), bucket.close()])
      client.destroy()
      s3.destroy()
    })
    const library = { table: dynamoTable({ tableName, client }), media: bucket.objects, exiftool, clock: new TestClock(), by }
    const original = Buffer.concat([await images['plain.jpg'](), Buffer.alloc(padding, 7)])
    const media = await putMedia(library.table, { mediaId: 1, bytes: original.length, crc32: crc32(original) })
    await bucket.objects.put(objectKeys.original(media), original, { contentType: 'image/jpeg' })
    const retitle = async (title: string) => (await editMetadata(library, [media.mediaId], () => ({ title: { en: title } })))[0]!
    return { library, retitle }
  }

  test('are made once by many, of a small file and of one that is fetched in ranges', async () => {
    for (const padding of [0, 40 * 1024 ** 2]) {
      const { library, retitle } = await open(padding)
      const media = await retitle('Harbour')
      const made = await Promise.all(Array.from({ length: 4 }, () => prepareDownload(library, media)))
      assert.equal(new Set(made.map(({ key }) => key)).size, 1)
      assert.deepEqual(await readyDeliverables(library, [media]), [made[0]])
      const { stream, etag } = await library.media.get(made[0]!.key)
      const bytes = await buffer(stream)
      assert.deepEqual({ etag, bytes: bytes.length, crc32: crc32(bytes) }, (({ etag, bytes, crc32 }) => ({ etag, bytes, crc32 }))(made[0]!))
      const path = join(directory, `copy-${padding}`)
      await writeFile(path, bytes)
      assert.equal((await exiftool.readTags(path, 'copy')).texts.XMP?.Title, 'Harbour')
      assert.ok((await readFile(path)).length > padding)
    }
  })

  test('of older versions go, then those of a removed file, then those that nobody fetches', async () => {
    const { library, retitle } = await open()
    const keys = async () => (await library.media.list(objectKeys.downloads(await current()))).objects.map(({ key }) => key)
    const current = async () => retitle('Again')
    const first = await retitle('First')
    await prepareDownload(library, first)
    const second = await retitle('Second')
    const { key } = await prepareDownload(library, second)
    library.clock.advance(11 * 60)
    await expireDownloads(library, () => false)
    assert.deepEqual(await keys(), [key])
    library.clock.advance(WEEK)
    await expireDownloads(library, () => false)
    assert.deepEqual(await keys(), [])
    const third = await retitle('Third')
    await prepareDownload(library, third)
    await library.table.delete(mediaKey(third.mediaId))
    await removeDownloadsOf(library, third.mediaId)
    assert.deepEqual((await library.media.list(objectKeys.downloads(third))).objects, [])
  })
})
