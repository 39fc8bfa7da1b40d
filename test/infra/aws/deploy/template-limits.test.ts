import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { templateSizes } from '../../../../infra/aws/deploy/template-limits.ts'

describe('templates are measured as they are written', () => {
  const template = (resources: number, bytes: number) => {
    const text = JSON.stringify({ Resources: Object.fromEntries(Array.from({ length: resources }, (_, n) => [`R${n}`, {}])) })
    return text.padEnd(bytes)
  }
  const measured = async (files: Record<string, string>) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'templates-'))
    const write = (name: string, text: string) => writeFile(join(folder.path, name), text)
    for (const [name, text] of Object.entries(files)) await write(name, text)
    await write('library.assets.json', JSON.stringify({ files: Object.keys(files).map((path) => ({ source: { path } })) }))
    await write('earlier.template.json', template(501, 1_000_001))
    return templateSizes(folder.path, 'library')
  }

  test('and taken up to the limits of CloudFormation', async () => {
    const { lines, refusals } = await measured({ 'library.template.json': template(500, 1_000_000) })
    assert.deepEqual(lines, ['library.template.json: 1,000,000 bytes of 1,000,000, 500 resources of 500'])
    assert.deepEqual(refusals, [])
  })

  test('and by parameters and outputs, too', async () => {
    const text = JSON.stringify({ Resources: {}, Parameters: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`P${n}`, {}])) })
    assert.deepEqual((await measured({ 'library.template.json': text })).refusals, [
      'CloudFormation would refuse library.template.json: it has 201 parameters, at most 200 are taken.',
    ])
  })

  test('and refused above them, those of nested stacks each for itself', async () => {
    const { lines, refusals } = await measured({
      'library.template.json': template(1, 1_000_001),
      'librarySearch.nested.template.json': template(501, 0),
    })
    assert.equal(lines.length, 2)
    assert.deepEqual(refusals, [
      'CloudFormation would refuse library.template.json: it has 1,000,001 bytes, at most 1,000,000 are taken.',
      'CloudFormation would refuse librarySearch.nested.template.json: it has 501 resources, at most 500 are taken.',
    ])
  })
})
