import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { until } from '../../../support/until.ts'
import { runCommand, runJson } from '../run-command.ts'

const tooMuch = Object.fromEntries(['en', 'da', 'de', 'sv', 'nb'].map((language) => [language, 'x'.repeat(50_000)]))

describe('stock import', async () => {
  const { service } = await serviceWithAccounts()
  const client = await service.client()
  const folder = await mkdtemp(join(tmpdir(), 'stock-import-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** A command that imports a manifest with these entries. */
  async function importing(entries: readonly unknown[]): Promise<string[]> {
    const manifest = join(folder, 'manifest.jsonl')
    await writeFile(manifest, entries.map((entry) => JSON.stringify(entry)).join('\n'))
    return ['stock', 'import', manifest]
  }
  const hits = async (q: string) => (await client['search-stock']({ query: { q, return_values: ['media_id'] } })).body.response.media

  it('makes items of a running library, which are found and downloaded, says so, and does nothing the second time', async () => {
    // A text that carries no metadata: its download is what was imported.
    await writeFile(join(folder, 'words.txt'), 'some words of a stock item')
    const described = Array.from({ length: 40 }, (_, n) => ({ id: `item ${n}`, title: { en: `Title ${n}` } }))
    const command = await importing([...described, { id: 40, file: 'words.txt', title: { en: 'Lighthouse', da: 'Fyrtårn' } }])
    const first = await runCommand(service.directory!, [...command, '--json'])
    assert.deepEqual([first.code, JSON.parse(first.out)], [0, { imported: 41, unchanged: 0 }])
    assert.match(first.error, /^(\d+ of 41 items checked\n)*41 of 41 items checked\n(\d+ of 41 items done\n)*41 of 41 items done$/)
    await until(async () => (await hits('fyrtårn')).length === 1)
    const [hit] = await hits('lighthouse')
    const { body } = await client['get-download-location']({ params: { id: hit!.media_id! } })
    assert.equal(await (await fetch(body.url)).text(), 'some words of a stock item')
    const second = await runCommand(service.directory!, command)
    assert.deepEqual([second.code, second.out], [0, 'Imported: 0. Unchanged: 41.'])
    assert.deepEqual(await runJson(service.directory!, ['check']), { clean: true, problems: [] })
  })

  const refused = { id: 'refused', title: { en: 'Refused' } }
  it.each([
    ['names a file out of its folder', [refused, { id: 'b', file: '../secrets.json' }], /is not in the folder of the manifest/],
    ['holds more than an item may', [refused, { id: 'b', title: tooMuch }], /entry 2 \(id b\): .*at most 204800 bytes/],
  ])('takes nothing of a manifest that %s', async (_, entries, problem) => {
    const { code, out, error } = await runCommand(service.directory!, await importing(entries))
    assert.deepEqual([code, out], [1, ''])
    assert.match(error, problem)
    assert.equal((await hits('refused')).length, 0)
  })
})
