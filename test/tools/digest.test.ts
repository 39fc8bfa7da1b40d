import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, it } from 'vitest'
import { saveWithDigest } from '../../shared/tools/digest.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const directory = temporaryDirectory(afterAll)

describe('saveWithDigest', () => {
  it('stores the bytes and knows their MD5, CRC-32 and number', async () => {
    const path = join(directory, 'chunks')
    const digest = await saveWithDigest(Readable.from([Buffer.from('1234'), Buffer.from('56789')]), path)
    assert.deepEqual(digest, { md5: '25f9e794323b453885f5181f1b624d0b', crc32: 0xcbf43926, bytes: 9 })
    assert.equal(await readFile(path, 'utf8'), '123456789')
  })

  it('never writes over a file', async () => {
    const path = join(directory, 'taken')
    await saveWithDigest(Readable.from([Buffer.from('first')]), path)
    await assert.rejects(saveWithDigest(Readable.from([Buffer.from('second')]), path), { code: 'EEXIST' })
    assert.equal(await readFile(path, 'utf8'), 'first')
  })
})
