import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { runCommand, runJson, temporaryLibrary } from '../run-command.ts'

describe('cdn alias', async () => {
  const directory = await temporaryLibrary()
  const { company_id: company } = await runJson(directory, ['company', 'create', '--name', 'Acme'])
  const { company_id: other } = await runJson(directory, ['company', 'create', '--name', 'Other'])

  const words = (verb: string, args: (string | number)[]) => ['cdn', 'alias', verb, '--company', ...args].map(String)
  const json = (verb: string, ...args: (string | number)[]) => runJson(directory, words(verb, args))

  async function assertFails(code: number, message: RegExp, verb: string, ...args: (string | number)[]): Promise<void> {
    const outcome = await runCommand(directory, [...words(verb, args), '--json'])
    assert.deepEqual([outcome.code, outcome.out], [code, ''], outcome.error)
    assert.match(outcome.error, message)
  }

  test('is added with a folder of its own, listed and removed', async () => {
    const { folder_id } = await json('add', company, '--alias', 'press')
    assert.deepEqual(await json('list', company), [{ alias: 'press', folder_id, folder_name: 'CDN press', presets_only: false }])
    assert.deepEqual(await json('add', company, '--alias', 'press'), { alias: 'press', folder_id }, 'the same again')
    const folders = await runJson(directory, ['folder', 'list', '--company', String(company)])
    assert.equal(folders.find((folder: { folder_id: number }) => folder.folder_id === folder_id).system, 'cdn')
    assert.deepEqual(await json('remove', company, '--alias', 'press'), { alias: 'press', folder_id })
    assert.deepEqual(await json('list', company), [])
    assert.equal((await json('add', other, '--alias', 'press')).alias, 'press', 'it is free again')
    await json('remove', other, '--alias', 'press')
    assert.deepEqual(await json('add', company, '--alias', 'own', '--folder', folder_id), { alias: 'own', folder_id })
    await assertFails(1, /Folder \d+ has the alias own already/, 'add', company, '--alias', 'second', '--folder', folder_id)
  })

  test('is refused when it is no name for an address, taken, or for a folder that cannot have one', async () => {
    for (const alias of ['', '-a', 'Press', '../x', 'x'.repeat(64)]) {
      await assertFails(2, /It must be 1 to 63 small letters[\s\S]*Usage: admin cdn alias add/, 'add', company, '--alias', alias)
    }
    await assertFails(2, /It must not be/, 'add', company, '--alias', 'streams')
    await json('add', company, '--alias', 'mine')
    await assertFails(1, /The alias mine is taken/, 'add', other, '--alias', 'mine')
    await assertFails(1, /Company \d+ has no alias mine\. List its aliases with/, 'remove', other, '--alias', 'mine')
    await json('add', other, '--alias', 'former')
    const { folder_id: foreign } = await json('remove', other, '--alias', 'former')
    await assertFails(1, /has no folder \d+\. List its folders with/, 'add', company, '--alias', 'x', '--folder', foreign)
    const folders = await runJson(directory, ['folder', 'list', '--company', String(company)])
    const gallery = folders.find(({ system }: { system: string }) => system === 'public')
    await assertFails(1, /public gallery cannot have an alias/, 'add', company, '--alias', 'x', '--folder', gallery.folder_id)
    await assertFails(1, /There is no company 1\./, 'add', 1, '--alias', 'x')
  })

  test('shows transformed pictures by presets alone from when that is set until it is taken back', async () => {
    const { folder_id } = await json('add', company, '--alias', 'strict')
    const set = (...args: (string | number)[]) => ['cdn', 'set', '--company', String(company), ...args.map(String)]
    const isStrict = async () => (await json('list', company)).find((each: { alias: string }) => each.alias === 'strict').presets_only
    for (const [state, presets_only] of [
      ['on', true],
      ['on', true],
      ['off', false],
    ] as const) {
      const said = await runJson(directory, set('--alias', 'strict', '--presets-only', state))
      assert.deepEqual([said, await isStrict()], [{ alias: 'strict', folder_id, presets_only }, presets_only])
    }
    const alone = await runJson(directory, ['cdn', 'set', '--alias', 'strict', '--presets-only', 'on'])
    assert.deepEqual(alone, { alias: 'strict', folder_id, presets_only: true }, 'an alias says whose it is')
    for (const wrong of [set('--alias', 'strict'), set('--alias', 'strict', '--presets-only', 'maybe')])
      assert.equal((await runCommand(directory, wrong)).code, 2)
    const unknown = await runCommand(directory, set('--alias', 'nobodys', '--presets-only', 'on'))
    assert.equal(unknown.code, 1)
    assert.match(unknown.error, /has no alias nobodys/)
    const nobodys = await runCommand(directory, ['cdn', 'set', '--alias', 'nobodys', '--presets-only', 'on'])
    assert.deepEqual([nobodys.code, nobodys.error.includes('There is no alias nobodys')], [1, true])
  })
})
