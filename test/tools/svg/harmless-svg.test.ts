import assert from 'node:assert/strict'
import { parseXml } from '@rgrove/parse-xml'
import { describe, test } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { harmlessSvg } from '../../../shared/tools/svg/harmless-svg.ts'

const svg = (content: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${content}</svg>`
const circle = '<circle cx="4" cy="4" r="4" fill="#c02020"/>'

const hostile = {
  script: '<script>alert(1)</script>',
  'script in CDATA': '<script><![CDATA[alert(1)]]></script>',
  'script of another prefix': '<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>',
  'a page in it': '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>',
  'a handler': '<g onload="alert(1)" ONCLICK="alert(1)"></g>',
  'a link': '<a href="javascript:alert(1)"><text>x</text></a>',
  'a picture': '<image href="https://evil.example/a.png"/><image xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>',
  'use from elsewhere': '<use href="https://evil.example/a.svg#x"/><use xlink:href="data:x#y"/>',
  animation: '<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="x" onbegin="alert(1)"/>',
  'style from elsewhere': '<style>@import "https://evil.example/a.css"; a{b:url(https://evil.example)}</style>',
  'style by escapes': '<rect style="fill:u\\72l(https://evil.example)"/>',
  'style by entities': '<rect fill="&#117;rl(https://evil.example/a)"/><rect fill="url(&quot;https://evil.example&quot;)"/>',
}

describe('an SVG that is made harmless', () => {
  test.each(Object.entries(hostile))('loses %s, and keeps what it shows', (_, content) => {
    const made = harmlessSvg(svg(content + circle))
    assert.doesNotMatch(made, /script|alert|evil|foreignObject|<a[ >]|<image|onload|onclick|data:|animate|<set|javascript/i)
    assert.match(made, /<circle cx="4" cy="4" r="4" fill="#c02020"\/>/)
    assert.equal(parseXml(made).root?.attributes.viewBox, '0 0 8 8')
  })

  test('loses declarations, and what entities stand for', () => {
    const source = `\ufeff<?xml version="1.0"?><!-- a --><!DOCTYPE svg [<!ENTITY x "url(https://evil.example)">]>${svg(`<rect fill="&x;"/>${circle}`)}`
    assert.equal(harmlessSvg(source), svg(`<rect/>${circle}`))
  })

  test('keeps what editors of vectors write', () => {
    const content =
      '<defs><style type="text/css">/* a */.a{fill:url(#b)}</style><linearGradient id="b"><stop offset="0" stop-color="red"/></linearGradient></defs>' +
      '<g class="a" transform="scale(2)"><use href="#c"/><text x="1">Kläden &amp; <tspan>mehr</tspan></text></g>'
    const made = harmlessSvg(svg(content))
    assert.equal(made, svg(content.replace('/* a */', '').replace('&amp;', '&#38;')))
  })

  test.each([
    '',
    'text',
    '<svg>',
    '<svg></g></svg>',
    '<html></html>',
    '<svg/><svg/>',
    '<svg a=b/>',
    `${'<g>'.repeat(99_999)}`,
    svg('<g>'.repeat(200)),
  ])('is refused where it is none: %.20s', (source) => {
    assert.throws(() => harmlessSvg(source), ToolFailed)
  })
})
