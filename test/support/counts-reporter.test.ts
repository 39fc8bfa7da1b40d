import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, onTestFinished, test } from 'vitest'

const support = (name: string) => JSON.stringify(resolve('test/support', name))
const configuration = `
import AvailableFiles from ${support('available-files.ts')}
export default { test: {
  name: 'machine',
  reporters: ['default', ${support('counts-reporter.ts')}],
  sequence: { sequencer: AvailableFiles },
  passWithNoTests: true,
  globalSetup: './setup.ts',
} }`

/** Runs Vitest on a file of its own. @returns its exit code, the last line of its output, and what it appended to `TEST_COUNTS` */
function run(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'counts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const all = { 'vitest.config.ts': configuration, 'setup.ts': 'export default () => {}', counts: 'earlier\n', ...files }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TEST_COUNTS: join(folder, 'counts') }
  const { status, stdout } = spawnSync('vitest', ['run'], { cwd: folder, env, encoding: 'utf8' })
  return { status, lines: stdout.trimEnd().split('\n'), counted: readFileSync(join(folder, 'counts'), 'utf8') }
}

const seeded = (body: string) => ({ 'seeded.test.ts': `import { afterAll, describe, test } from 'vitest'\n${body}` })
const passing = `test('passes', () => {})\n`

describe('the counts at the end of a run', () => {
  test('are those of its tests, and are appended to the file that TEST_COUNTS names', () => {
    const { status, lines, counted } = run(seeded(`${passing} describe('suite', () => { ${passing} test.skip('is skipped', () => {}) })`))
    assert.deepEqual(
      [status, lines.at(-1), counted],
      [0, '2 passed, 0 failed, 1 skipped', 'earlier\n2 passed, 0 failed, 1 skipped, 0 unsteady\n'],
    )
  })

  const failures: Record<string, [files: Record<string, string>, counts: string]> = {
    'a test': [seeded(`${passing} test('fails', () => { throw new Error() })`), '1 passed, 1 failed, 0 skipped'],
    'a file that cannot be loaded': [seeded(`${passing} import './nothing.ts'`), '0 passed, 1 failed, 0 skipped'],
    'a file without tests': [seeded(''), '0 passed, 1 failed, 0 skipped'],
    'an error that nobody handles': [
      seeded(`test('passes', async () => { Promise.reject(new Error()); await new Promise(setImmediate) })`),
      '1 passed, 1 failed, 0 skipped',
    ],
  }
  for (const [what, [files, counts]] of Object.entries(failures)) {
    test(`count as failed ${what}`, () => {
      const { status, lines } = run(files)
      assert.deepEqual([status, lines.at(-1)], [1, counts])
    })
  }

  test('count as skipped the files whose project cannot run here, and say why', () => {
    const setup = `export default (project) => project.provide('unavailable', 'there is no engine')`
    const { status, lines } = run({ ...seeded(passing), 'setup.ts': setup })
    assert.deepEqual([status, lines.at(-1)], [0, '0 passed, 0 failed, 1 skipped'])
    assert.ok(lines.includes('skipped: machine seeded.test.ts: there is no engine'), lines.join('\n'))
  })

  test('name the tests that passed at their second try only, and leave those that fail twice as failed', () => {
    const tests = `let tries = 0
      test('gets there', { retry: 1 }, () => { if (++tries < 2) throw new Error() })
      test('never does', { retry: 1 }, () => { throw new Error() })`
    const { status, lines, counted } = run(seeded(tests))
    assert.deepEqual([status, ...lines.slice(-2)], [1, 'unsteady: machine gets there', '1 passed, 1 failed, 0 skipped'])
    assert.equal(counted, 'earlier\n1 passed, 1 failed, 0 skipped, 1 unsteady\n')
  })
})
