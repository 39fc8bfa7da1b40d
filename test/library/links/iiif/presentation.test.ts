import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { presentation } from '../../../../shared/library/links/iiif/presentation.ts'

const id = 'https://links.example/iiif/3/acme/0123'
const picture = { filename: 'harbour.tif', title: {}, description: {}, copyright: null, width: 4_000, height: 3_000 }

function read(about: Partial<Parameters<typeof presentation>[1]> = {}) {
  return JSON.parse(Buffer.from(presentation(id, { ...picture, ...about }).data).toString())
}

describe('manifest.json', () => {
  test('shows the picture on a canvas of its size, by its service', () => {
    const service = [{ id, type: 'ImageService3', profile: 'level2' }]
    assert.deepEqual(read(), {
      '@context': 'http://iiif.io/api/presentation/3/context.json',
      id: `${id}/manifest.json`,
      type: 'Manifest',
      label: { none: ['harbour.tif'] },
      thumbnail: [{ id: `${id}/full/400,300/0/default.jpg`, type: 'Image', format: 'image/jpeg', width: 400, height: 300, service }],
      items: [
        {
          id: `${id}/canvas`,
          type: 'Canvas',
          width: 4_000,
          height: 3_000,
          items: [
            {
              id: `${id}/canvas/page`,
              type: 'AnnotationPage',
              items: [
                {
                  id: `${id}/canvas/annotation`,
                  type: 'Annotation',
                  motivation: 'painting',
                  body: { id: `${id}/full/max/0/default.jpg`, type: 'Image', format: 'image/jpeg', width: 4_000, height: 3_000, service },
                  target: `${id}/canvas`,
                },
              ],
            },
          ],
        },
      ],
    })
  })

  test('has the words of the library, each in its language', () => {
    const { label, summary, requiredStatement } = read({
      title: { en: 'Harbour', de: 'Hafen', da: ' ', 'x-default': 'Port' },
      description: { en: 'At <dawn>' },
      copyright: '© Anna Berg',
    })
    assert.deepEqual(label, { en: ['Harbour'], de: ['Hafen'], none: ['Port'] })
    assert.deepEqual(summary, { en: ['At <dawn>'] })
    assert.deepEqual(requiredStatement, { label: { en: ['Copyright'] }, value: { none: ['© Anna Berg'] } })
  })

  test('has no text that a viewer would take for HTML', () => {
    const hostile = ' <img src=x onerror="alert(1)"> '
    const { summary, requiredStatement } = read({ description: { en: hostile }, copyright: hostile })
    for (const [text] of [summary.en, requiredStatement.value.none]) {
      assert.match(text, /^<span>/)
      assert.doesNotMatch(text, /<img/)
    }
  })

  test('says of a larger picture than is served how large it is served', () => {
    const [canvas] = read({ width: 20_000, height: 10_000 }).items
    const { body } = canvas.items[0].items[0]
    assert.deepEqual([canvas.width, canvas.height], [20_000, 10_000])
    assert.deepEqual([body.id, body.width, body.height], [`${id}/full/8192,4096/0/default.jpg`, 8_192, 4_096])
  })
})
