import assert from 'node:assert/strict'
import { test } from 'vitest'
import { embedCode } from '../../../../infra/clients/console/app/links/embed.ts'

test('an embedded picture has its size and its title, twice the pixels for dense screens, and each sign of it is escaped once', () => {
  assert.equal(
    embedCode('https://cdn.example/press/a.jpg', { title: 'A "b" <i>&', filename: 'a.jpg', width: 1000, height: 500 }),
    '<img src="https://cdn.example/press/a.jpg?width=800&amp;output_format=auto"' +
      ' srcset="https://cdn.example/press/a.jpg?width=800&amp;output_format=auto 1x,' +
      ' https://cdn.example/press/a.jpg?width=800&amp;dpr=2&amp;output_format=auto 2x"' +
      ' width="800" height="400" alt="A &quot;b&quot; &lt;i&gt;&amp;" loading="lazy">',
  )
})

test('a preset stands alone in the address, and says how large the picture is', () => {
  assert.equal(
    embedCode(
      'https://cdn.example/press/a.jpg',
      { title: 'A', width: 1000, height: 500 },
      { name: 'card', query: 'fit=cover&width=300&height=200' },
    ),
    '<img src="https://cdn.example/press/a.jpg?preset=card"' +
      ' srcset="https://cdn.example/press/a.jpg?preset=card 1x, https://cdn.example/press/a.jpg?preset=card&amp;dpr=2 2x"' +
      ' width="300" height="200" alt="A" loading="lazy">',
  )
})

test('a small picture is not enlarged, one of an unknown size has none, and one without title has an empty text', () => {
  assert.match(
    embedCode('https://cdn.example/a.png', { title: null, filename: 'a.png', width: 90, height: 60 }),
    /src="[^ ]+\?width=90&amp;.* width="90" height="60" alt=""/,
  )
  assert.doesNotMatch(embedCode('https://cdn.example/a.png', { title: '' }), / width="/)
})

test('what is no picture is linked by its title, its name or its address', () => {
  const url = 'https://cdn.example/a.pdf'
  assert.equal(embedCode(url, { title: 'Terms', filename: 'terms.pdf' }), `<a href="${url}">Terms</a>`)
  assert.equal(embedCode(url, { title: null, filename: 'terms.pdf' }), `<a href="${url}">terms.pdf</a>`)
  assert.equal(embedCode(url, {}, { name: 'card', query: 'width=1' }), `<a href="${url}">${url}</a>`)
})
