import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { ZipFile } from 'yazl'
import { decodeText } from '../../../../infra/clients/console/app/file/decode-text.ts'
import { listZip } from '../../../../infra/clients/console/app/file/zip-list.ts'

async function archive(names: readonly string[], { forceZip64Format = false } = {}): Promise<Buffer> {
  const zip = new ZipFile()
  for (const name of names) zip.addBuffer(Buffer.from('12345'), name, { forceZip64Format })
  zip.end({ forceZip64Format, comment: 'hello' })
  return buffer(zip.outputStream)
}

const list = (bytes: Buffer) => listZip(async (from, to) => new Uint8Array(bytes.subarray(from, to)), bytes.length)

describe('the list of an archive', () => {
  test.each([[{}], [{ forceZip64Format: true }]])('tells names and sizes, %j', async (options) => {
    const names = ['a.txt', 'mappe/æøå.jpg', '<img src=x onerror=alert(1)>']
    const { entries, total } = await list(await archive(names, options))
    assert.equal(total, 3)
    assert.deepEqual(
      entries,
      names.map((name) => ({ name, size: 5 })),
    )
  })

  test('ends after a thousand entries', async () => {
    const { entries, total } = await list(await archive(Array.from({ length: 1_200 }, (_, index) => `${index}.txt`)))
    assert.deepEqual([entries.length, total], [1_000, 1_200])
  })

  test('of what is none, or lies about where its list is, there is none', async () => {
    const lying = await archive(['a.txt'])
    lying.writeUInt32LE(0xfffffff0, lying.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16)
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(100_000, 'x'), lying])
      await assert.rejects(list(bytes), RangeError)
  })

  test('what is cut in its middle tells what is whole, and nothing else', async () => {
    const bytes = await archive(['a.txt', 'b.txt'])
    const second = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1')
    bytes.writeUInt16LE(0xffff, second + 28)
    assert.deepEqual((await list(bytes)).entries, [{ name: 'a.txt', size: 5 }])
  })
})

test.each([
  ['UTF-8', Buffer.from('æ €'), 'æ €'],
  ['UTF-8 with a mark', Buffer.from('\ufeffæ'), 'æ'],
  ['UTF-16', Buffer.from('\ufeffæ', 'utf16le'), 'æ'],
  ['Windows-1252', Buffer.from([0xe6, 0x20, 0x80]), 'æ €'],
])('text in %s is read', (_name, bytes, text) => {
  assert.equal(decodeText(bytes, false), text)
})

test('a text that is cut within a character is still UTF-8', () => {
  assert.equal(decodeText(Buffer.from('æ€').subarray(0, 4), true), 'æ')
})
