import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { temporaryExifTool } from '../support/exiftool.ts'
import { images, signedPictures } from '../support/pictures/index.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { unzipped } from '../support/unzipped.ts'
import { uploadAndImport } from '../support/uploading.ts'

const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

describe('originals', async () => {
  const { person } = await serviceWithAccounts()
  const { exiftool, directory } = await temporaryExifTool()
  const { client } = await person()
  let files = 0

  /** A file that the library knows another title of. */
  async function edited(bytes: Buffer, name: string) {
    const folder = (await client['create-folder']({ body: { name } })).body.id
    const media = await uploadAndImport(client, folder, bytes, name)
    await client['set-title']({ params: { id: media.id }, body: { en: 'Of the library' } })
    return { folder, media, id: media.id }
  }

  async function download(id: number, original?: '0' | '1') {
    const { status, body } = await client['get-download-location']({ params: { id }, query: original ? { original } : {} })
    assert.equal(status, 200, JSON.stringify(body))
    const { metadata_written: isWritten, reason } = body
    return { bytes: await bytesAt(body.url), isWritten, reason }
  }

  async function bytesAt(url: string): Promise<Buffer> {
    const response = await fetch(url)
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }

  async function titleOf(bytes: Buffer) {
    const path = join(directory, `file-${files++}`)
    await writeFile(path, bytes)
    return (await exiftool.readTags(path, 'x')).texts.XMP?.Title
  }

  test('are delivered as they were uploaded where that is asked for', async () => {
    const source = await images['plain.jpg']()
    const { id, media } = await edited(source, 'plain.jpg')
    const { bytes, isWritten, reason } = await download(id, '1')
    assert.deepEqual([md5Of(bytes), isWritten, reason], [media.file_md5, false, 'original_requested'])
    for (const original of [undefined, '0'] as const) {
      const carrying = await download(id, original)
      assert.deepEqual([await titleOf(carrying.bytes), carrying.isWritten, carrying.reason], ['Of the library', undefined, undefined])
    }
    const wrong = await client['get-download-location']({ params: { id }, query: { original: 'yes' as '1' } })
    assert.equal(wrong.status, 400)
  })

  test.each(Object.entries(signedPictures))('%s keeps its Content Credentials, also in zips', async (name, make) => {
    const source = await make()
    const { id, folder, media } = await edited(source, name)
    assert.equal(media.content_credentials, true)
    const { bytes, isWritten, reason } = await download(id)
    assert.deepEqual([bytes.equals(source), isWritten, reason], [true, false, 'content_credentials'])

    const { job_id } = (await client['create-zip']({ params: { id: folder } })).body
    const zip = await until(async () => {
      const { body } = await client['get-zip']({ params: { job_id } })
      return body.state !== 'PENDING' && body
    })
    const [entry] = await unzipped(await bytesAt(zip.url!))
    assert.ok(entry?.bytes.equals(source))

    const broken = await download(id, '0')
    assert.deepEqual([await titleOf(broken.bytes), broken.isWritten], ['Of the library', undefined])
    assert.ok((await download(id)).bytes.equals(source), 'the written copy is for who asked for it')
  })
})
