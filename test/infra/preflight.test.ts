import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('a clone without packages', () => {
  let clone: string
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'media-library-'))
    mkdirSync(join(clone, 'test'))
    for (const path of ['package.json', 'infra', 'shared', 'functions', 'test/bench', 'test/support'])
      cpSync(join(root, path), join(clone, path), { recursive: true })
  })
  afterAll(() => rmSync(clone, { recursive: true, force: true }))

  for (const command of [['start'], ['run', 'admin', '--', 'company', 'list'], ['test'], ['run', 'bench']]) {
    it(`npm ${command.join(' ')} says to run npm ci first`, () => {
      const { status, stdout, stderr } = spawnSync('npm', ['--silent', ...command], { cwd: clone, encoding: 'utf8', timeout: 300_000 })
      assert.equal(status, 1)
      assert.match(stderr, /^The packages of this project are not installed\. Run npm ci first, then this again\.$/m)
      assert.doesNotMatch(stdout + stderr, /^ +at /m)
    })
  }
})

describe('npm ci', () => {
  const { prepare } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  const onPlatform = (platform: string) => {
    const pretended = `Object.defineProperty(process, 'platform', { value: '${platform}' }); require('./infra/platform.cjs')`
    return spawnSync(process.execPath, ['-e', pretended], { cwd: root, encoding: 'utf8', timeout: 300_000 })
  }

  it('says on Windows where it runs, before it runs anything else of the project', () => {
    assert.match(prepare, /^node infra\/platform\.cjs && /)
    const { status, stderr } = onPlatform('win32')
    assert.deepEqual([status, stderr.match(/Windows Subsystem for Linux/)?.length], [1, 1])
  })

  it('goes on elsewhere', () => {
    for (const platform of ['linux', 'darwin']) assert.deepEqual([onPlatform(platform).status, onPlatform(platform).stderr], [0, ''])
  })
})

describe('npm run bench', () => {
  const bench = (...args: string[]) =>
    spawnSync(process.execPath, ['test/bench/run.ts', ...args], { cwd: root, encoding: 'utf8', timeout: 300_000 })

  it('without names lists what there is, how to measure it, and measures nothing', () => {
    const { status, stdout } = bench()
    assert.equal(status, 0)
    assert.match(stdout, /^kernel +one request through the kernel/m)
    assert.match(stdout, /npm run bench -- all/)
    assert.doesNotMatch(stdout, /load average/)
  })

  it('refuses unknown names before it measures any', () => {
    const { status, stdout, stderr } = bench('kernel', 'nonsense')
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /^There is no bench called nonsense\./)
  })
})
