import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { arrayElements, Unreadable } from '../../../../infra/admin/manifest/array-elements.ts'

/** @param size of the chunks, in bytes */
async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const elements = (text: string | Buffer, size = 7) => Array.fromAsync(arrayElements(chunks(Buffer.from(text), size)))

describe('the elements of a JSON array', () => {
  it('are those of the array, whatever they hold, however it is written, and wherever it is cut', async () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(0, 1, '\t'), fc.integer({ min: 1, max: 40 }), async (all, space, size) => {
        const texts = await elements(JSON.stringify(all, undefined, space), size)
        assert.deepEqual(
          texts.map((text) => JSON.parse(text)),
          JSON.parse(JSON.stringify(all)),
        )
      }),
    )
  })

  it('are found behind a byte order mark and white space, also of an empty array', async () => {
    assert.deepEqual(await elements('\ufeff \r\n\t[ ] \n'), [])
    assert.deepEqual(await elements('\ufeff[1 , "a,]\\"" ]'), ['1', '"a,]\\""'])
    assert.deepEqual(await elements('  [1]', 1), ['1'])
  })

  it.each([
    ['nothing', '', /ends before its array does/],
    ['an object', '{"id": 1}', /must be a JSON array of items$/],
    ['an array that is cut off in a string', '["a]', /ends before its array does/],
    ['something behind the array', '[] []', /must end after its array/],
    ['a comma too many', '[1, ]', /entry 2 is empty/],
  ])('are not those of %s', async (_, text, message) => {
    await assert.rejects(elements(text), (error) => error instanceof Unreadable && message.test(error.message))
  })

  it('are not larger than memory should hold: one that has no end is refused while it comes', async () => {
    let read = 0
    async function* endless() {
      yield Buffer.from('[{"id": 1}, ["')
      for (;;) {
        read += 65_536
        yield Buffer.alloc(65_536, 'a')
      }
    }
    await assert.rejects(Array.fromAsync(arrayElements(endless())), /too large: entry 2/)
    assert.ok(read < 4 * 1024 * 1024)
  })
})
