import assert from 'node:assert/strict'
import { test } from 'vitest'
import { embedCode } from '../../../../infra/clients/console/app/links/embed.ts'

test('an embedded picture has its size and its title, and each sign of its addresses is escaped once', () => {
  const code = embedCode('https://cdn.example/press/a.jpg', { title: 'A "b" <i>&', width: 1000, height: 500 })
  assert.match(code, /src="https:\/\/cdn\.example\/press\/a\.jpg\?width=800&amp;output_format=webp"/)
  assert.match(code, / width="800" height="400" alt="A &quot;b&quot; &lt;i&gt;&amp;"/)
  assert.match(code, /\?width=1000&amp;output_format=webp 1000w"/)
  assert.doesNotMatch(code, /1600w|&#|&amp;amp;/)
})

test('a small picture is not enlarged, and one of an unknown size has none', () => {
  assert.match(
    embedCode('https://cdn.example/a.png', { title: '', width: 90, height: 60 }),
    /srcset="[^ ]+ 90w" .* width="90" height="60" alt=""/,
  )
  assert.doesNotMatch(embedCode('https://cdn.example/a.png', { title: '' }), / width="/)
})

test('what is no picture is linked', () => {
  assert.equal(embedCode('https://cdn.example/a.pdf', { title: 'Terms' }), '<a href="https://cdn.example/a.pdf">Terms</a>')
})
