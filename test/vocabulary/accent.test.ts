import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { contrast, readableOnDark, readableOnLight } from '../../shared/vocabulary/accent.ts'

const all = ['#ffff00', '#ffffff', '#000000', '#ff0000', '#00ff00', '#0000ff', '#777777', '#84bdf5', '#0b5cad', '#123456', '#fedcba']

describe('the contrast of an accent', () => {
  test('is that of WCAG 2.2', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  })

  test.each(all)('%s becomes readable in both themes', (accent) => {
    const [onLight, onDark] = [readableOnLight(accent), readableOnDark(accent)]
    for (const other of ['#ffffff', '#f5f6f8']) assert.ok(contrast(onLight, other) >= 4.5)
    for (const other of ['#17191c', '#1f2226', '#0a1a2a']) assert.ok(contrast(onDark, other) >= 4.5)
    assert.equal(readableOnLight(onLight), onLight)
    assert.equal(readableOnDark(onDark), onDark)
  })

  test('what can be read stays, and what can not changes no more than it must', () => {
    assert.equal(readableOnLight('#0b5cad'), '#0b5cad')
    assert.equal(readableOnDark('#84bdf5'), '#84bdf5')
    assert.ok(contrast(readableOnLight('#ffff00'), '#f5f6f8') < 4.7)
    // Yellow stays yellow.
    assert.match(readableOnLight('#ffff00'), /^#(..)\1(00)$/)
  })
})
