import assert from 'node:assert/strict'
import { afterAll, describe, it } from 'vitest'
import { svgSize } from '../../../shared/tools/svg/svg-size.ts'
import { hostile, save } from '../../support/pictures/index.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const directory = temporaryDirectory(afterAll)

const sizeOf = async (svg: string | Buffer) => {
  const size = await svgSize(await save(directory, 'picture.svg', Buffer.from(svg)))
  return size && `${size.width}x${size.height}`
}

// As Chromium 156 has them (`naturalWidth`), where the viewBox alone speaks as librsvg 2.63.
describe('the size of an SVG', () => {
  it.for([
    ['width="100" height="50"', '100x50'],
    ['width="100px" height="1in"', '100x96'],
    ['width="2.54cm" height="25.4mm"', '96x96'],
    ['width="72pt" height="6PC"', '96x96'],
    ['width="210mm" height="297mm" viewBox="0 0 210 297"', '794x1123'],
    ['width="40Q" height="10em"', '38x160'],
    ['width="1e2" height=".5e2"', '100x50'],
    ['width="100.6" height="100.4"', '101x100'],
    ["height = '50'\n width = '100'", '100x50'],
    ['viewBox="0 0 200 100"', '200x100'],
    ['viewBox="-10,-10 , 40.6,20"', '41x20'],
    ['width="100%" height="100%" viewBox="0 0 300 150"', '300x150'],
    ['width="100" viewBox="0 0 200 100"', '100x50'],
    ['width="100%" height="50" viewBox="0 0 200 100"', '100x50'],
    ['width="auto" height="calc(1px)" viewBox="0 0 200 100"', '200x100'],
    ['data-width="7" width="100" data-height="7" height="50" width="3"', '100x50'],
    ['width="100%" height="100%"', undefined],
    ['width="100"', undefined],
    ['', undefined],
    ['width="0" height="10" viewBox="0 0 10 10"', undefined],
    ['width="1e300" height="10"', undefined],
    ['viewBox="0 0 0 10"', undefined],
  ] as const)('of %s is %s', async ([attributes, expected]) => {
    assert.equal(await sizeOf(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="7" height="7"/></svg>`), expected)
  })

  it('is that of the root element, whatever stands before it and in whatever encoding', async () => {
    const root = '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" title="a > b" width="100" height="50"/>'
    assert.equal(
      await sizeOf(`\ufeff<?xml version="1.0"?>\n<!-- <svg width="1" height="1"> -->\n<!DOCTYPE svg [<!ENTITY a "b">]>${root}`),
      '100x50',
    )
    assert.equal(await sizeOf(Buffer.from(`\ufeff${root}`, 'utf16le')), '100x50')
    assert.equal(await sizeOf(await hostile['entities.svg']()), '100x50')
    assert.equal(await sizeOf(`<svg ${'a '.repeat(100_000)}`), undefined)
  })
})
