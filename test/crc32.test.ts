import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { combineCrc32 } from '../shared/crc32.ts'

describe('CRC-32', () => {
  test('of many pieces it is that of the whole, however they are grouped', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 })
    fc.assert(
      fc.property(pieces, (all) => {
        const whole = Buffer.concat(all)
        const fromLeft = all.reduce((crc, piece) => combineCrc32(crc, crc32(piece), piece.length), 0)
        const fromRight = all.reduceRight<{ crc: number; bytes: number }>(
          ({ crc, bytes }, piece) => ({ crc: combineCrc32(crc32(piece), crc, bytes), bytes: bytes + piece.length }),
          { crc: 0, bytes: 0 },
        )
        assert.deepEqual([fromLeft, fromRight.crc], [crc32(whole), crc32(whole)])
      }),
    )
  })

  test('sizes above 4 GiB count whole', () => {
    // 2^40 zeros are made of halves. Their CRC is known without reading them, because it is that of the halves combined.
    let [crc, bytes] = [crc32(Buffer.alloc(1)), 1]
    for (; bytes < 2 ** 40; bytes *= 2) crc = combineCrc32(crc, crc, bytes)
    const behind = combineCrc32(crc32(Buffer.from('head')), crc, bytes)
    const stepByStep = combineCrc32(combineCrc32(crc32(Buffer.from('head')), crc, bytes), crc32(Buffer.from('tail')), 4)
    const tail = combineCrc32(crc, crc32(Buffer.from('tail')), 4)
    assert.equal(combineCrc32(crc32(Buffer.from('head')), tail, bytes + 4), stepByStep)
    assert.notEqual(behind, combineCrc32(crc32(Buffer.from('head')), crc, bytes % 2 ** 32))
  })
})
