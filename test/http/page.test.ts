import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { selfContainedPage } from '../../shared/http/page.ts'

describe('a page that is whole in itself', () => {
  const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const textOf = (html: string, tag: string) => new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(html)?.[1] ?? ''

  test('its policy lets its own style and script work and nothing else', () => {
    const { html, policy } = selfContainedPage({ title: 'T', body: '<main>b</main>', style: 'main { color: red }', script: 'alert(1)' })
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      `style-src ${sourceOf(textOf(html, 'style'))}`,
      `script-src ${sourceOf(textOf(html, 'script'))}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
  })

  test('without a script none may run, nor ask for anything', () => {
    const { html, policy } = selfContainedPage({ title: 'T', body: '', style: '' })
    assert.doesNotMatch(html, /<script/)
    assert.doesNotMatch(policy, /script-src|connect-src/)
  })
})
