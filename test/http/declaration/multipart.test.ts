import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { multipartFile } from '../../../shared/http/declaration/multipart.ts'
import { Invalid, TooLarge } from '../../../shared/library/errors.ts'

const BOUNDARY = '----boundary7MA4YWxk'
const type = `multipart/form-data; boundary=${BOUNDARY}`
const bytes = Buffer.from('ffd8ff00\r\n--not a boundary\r\n\u0000'.repeat(20), 'latin1')
const input = multipartFile('file', 1000, ['image/jpeg'])

/** A body of parts, each its header lines and its content. */
function form(parts: readonly [headers: string, content: Uint8Array | string][], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(([headers, content]) => [`--${boundary}\r\n${headers}\r\n\r\n`, content, '\r\n'])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)))
}

const part = (disposition: string): [string, Buffer] => [`Content-Disposition: form-data; ${disposition}`, bytes]
const filePart = part('name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg')

describe('a file in a form', () => {
  const forms: Record<string, [contentType: string, body: Buffer]> = {
    'of a browser or curl': [type, form([filePart])],
    'of .NET: quoted boundary, name without quotes, file name in two ways': [
      `multipart/form-data; boundary="${BOUNDARY}"`,
      form([part("name=file; filename=a.jpg; filename*=utf-8''a.jpg")]),
    ],
    'without file name and type': [type, form([part('name="file"')])],
    'with a name in any script': [type, form([part('name="file"; filename="Zoë 😀 \\"x\\".jpg"')])],
    'behind other fields, and before others': [
      type,
      form([part('name="note"'), part('name="other"; filename="b"'), filePart, part('name="x"')]),
    ],
    'the first of two': [type, form([filePart, ['Content-Disposition: form-data; name="file"; filename="b"', 'another']])],
    'behind a preamble, with an epilogue': [type, Buffer.concat([Buffer.from('preamble\r\n'), form([filePart]), Buffer.from('epilogue')])],
  }
  for (const [what, [contentType, body]] of Object.entries(forms)) {
    test(what, async () => assert.deepEqual(await input.read(contentType, body), bytes))
  }

  test('may have as many bytes as are allowed, and not one more', async () => {
    const of = (length: number) => form([[filePart[0], Buffer.alloc(length, 'x')]])
    assert.equal((await input.read(type, of(1000))).length, 1000)
    await assert.rejects(input.read(type, of(1001)), TooLarge)
  })
})

describe('what has no file is refused', () => {
  const refused: Record<string, [contentType: string | undefined, body: Buffer, code?: string]> = {
    'no form': ['image/jpeg', bytes, 'malformed_form'],
    'no type': [undefined, form([filePart]), 'malformed_form'],
    'no boundary': ['multipart/form-data', form([filePart]), 'malformed_form'],
    'another boundary': [`${type}x`, form([filePart]), 'malformed_form'],
    'no parts': [type, form([])],
    'a field of another name': [type, form([part('name="File"; filename="a.jpg"')])],
    'a part without a name': [type, form([part('filename="a.jpg"')])],
    'a body that ends within the file': [type, form([filePart]).subarray(0, -80), 'malformed_form'],
    'the file behind a thousand parts': [type, form([...Array.from({ length: 1000 }, () => part('name="x"')), filePart])],
  }
  for (const [what, [contentType, body, code = 'invalid_input']] of Object.entries(refused)) {
    test(what, async () => {
      await assert.rejects(
        async () => input.read(contentType, body),
        (error) => error instanceof Invalid && error.code === code,
      )
    })
  }

  test('whatever comes, it is taken or refused: nothing hangs, nothing else is thrown', async () => {
    const whole = form([part('name="a"'), filePart, part('name="b"')])
    const damaged = fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }))
    const property = fc.asyncProperty(damaged, async ([at, to, inserted]) => {
      const body = Buffer.concat([whole.subarray(0, at), inserted, whole.subarray(to)])
      const settled = input.read(type, body).then(Buffer.isBuffer, (error) => error instanceof Invalid || error instanceof TooLarge)
      const hung = new Promise((resolve) => setTimeout(resolve, 60_000, 'hung').unref())
      assert.equal(await Promise.race([settled, hung]), true)
    })
    await fc.assert(property, { numRuns: 500 })
  })
})
