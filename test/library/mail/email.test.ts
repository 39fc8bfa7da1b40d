import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { checkEmail } from '../../../shared/backends/mail/check-email.ts'
import { type Paragraph, renderEmail } from '../../../shared/library/mail/email.ts'

const parts = { to: 'anna@example.com', subject: 'Your new password', brand: 'ACME', requestId: 'r-1' }
const render = (...paragraphs: Paragraph[]) => renderEmail({ ...parts, paragraphs })

describe('an e-mail', () => {
  test('has a heading, paragraphs, links, codes and a footer, as text and as HTML', () => {
    const link = 'https://media.example.com/a?b=1&c=2#d'
    const { to, subject, text, html } = render('Hello Anna,', { text: 'Open it', link }, { code: 'c0de' })
    assert.deepEqual([to, subject], ['anna@example.com', 'ACME: Your new password'])
    assert.equal(text, `Your new password\n\nHello Anna,\n\nOpen it:\n${link}\n\nc0de\n\nSent by ACME. Request r-1\n`)
    assert.match(html, /^<!doctype html>\n<html lang="en">/)
    assert.match(html, /<h1[^>]*>Your new password<\/h1>\n<p[^>]*>Hello Anna,<\/p>/)
    assert.match(html, /<a href="https:\/\/media\.example\.com\/a\?b=1&#38;c=2#d">Open it<\/a>/)
    assert.match(html, /<code[^>]*>c0de<\/code>/)
    assert.match(html, /<p[^>]*>Sent by ACME\. Request r-1<\/p>/)
  })

  test('loads nothing, runs nothing, and leaves the colours to the mail program', () => {
    const { html } = render('Hello', { text: 'Open it', link: 'https://media.example.com/' })
    assert.doesNotMatch(html, /<(script|img|link|iframe|style|form)\b|\b(src|background|srcset)=|url\(|@import/i)
    assert.doesNotMatch(html, /(^|[^-])color:|background/)
    assert.match(html, /<meta name="color-scheme" content="light dark">/)
  })

  test('of hostile text has no element, attribute, paragraph or header more', () => {
    const plain = render('x', { text: 'x', link: 'https://x/' }, { code: 'x' })
    const shape = (html: string) => html.replace(/>[^<]*</g, '><').replace(/href="[^"]*"/g, 'href')
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '\r', '\n', '\u2028', '\u0000', '\u0085', '\ud800', ' ', 'a', 'Ж') }),
    )
    fc.assert(
      fc.property(hostile, (value) => {
        const subject = value
        const email = renderEmail({ ...parts, subject, paragraphs: [value, { text: value, link: `https://x/${value}` }, { code: value }] })
        assert.equal(shape(email.html), shape(plain.html))
        assert.equal(email.text.split('\n').length, plain.text.split('\n').length)
        assert.ok(email.text.isWellFormed() && email.html.isWellFormed())
        assert.equal(checkEmail(email).to, parts.to)
        assert.ok([...email.subject].length <= 160)
      }),
    )
  })
})
