import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'

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

describe('a clone without packages of development', () => {
  it('says which commands need them, and runs the library without', () => {
    const clone = mkdtempSync(join(tmpdir(), 'media-library-'))
    onTestFinished(() => rmSync(clone, { recursive: true }))
    mkdirSync(join(clone, 'infra'))
    for (const path of ['package.json', 'infra/preflight.cjs']) cpSync(join(root, path), join(clone, path))
    mkdirSync(join(clone, 'node_modules'))
    writeFileSync(join(clone, 'node_modules/.package-lock.json'), '{}')
    for (const script of ['test', 'deploy', 'bench']) {
      const { status, stderr } = spawnSync('npm', ['--silent', 'run', script], { cwd: clone, encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(stderr, new RegExp(`^npm run ${script} needs packages that npm ci --omit=dev leaves out\\. Run npm ci, then`))
    }
    const { stderr } = spawnSync('npm', ['--silent', 'start'], { cwd: clone, encoding: 'utf8' })
    assert.doesNotMatch(stderr, /omit=dev/)
  })
})

describe('npm ci', () => {
  const { prepare } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  /** Runs what `npm ci` runs first of the project, in a process that a line of code makes another machine's. */
  const pretending = (code: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'preflight-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'pretend.cjs'), code)
    const args = ['--require', join(folder, 'pretend.cjs'), './infra/preflight.cjs']
    return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 300_000 })
  }

  it('asks first whether this machine is one that the library runs on', () => {
    assert.match(prepare, /^PATH=\$\(node infra\/preflight\.cjs\) && /)
  })

  it('says on Windows and on Alpine Linux where it runs', () => {
    const windows = pretending("Object.defineProperty(process, 'platform', { value: 'win32' })")
    assert.deepEqual([windows.status, windows.stdout, windows.stderr.match(/Windows Subsystem for Linux/)?.length], [1, '', 1])
    const alpine = pretending('process.report.getReport = () => ({ header: {} })')
    assert.deepEqual([alpine.status, alpine.stdout, alpine.stderr.match(/Alpine Linux has musl/)?.length], [1, '', 1])
  })

  it('refuses an old Node where the packages bring none, and takes a new one', () => {
    const mac = "Object.defineProperty(process, 'platform', { value: 'darwin' });"
    const version = (value: string) => `${mac} Object.defineProperty(process.versions, 'node', { value: '${value}' })`
    const old = pretending(version('24.6.0'))
    assert.deepEqual([old.status, old.stdout, old.stderr.match(/^This needs Node 24\.7 or newer/)?.length], [1, '', 1])
    const [folder] = pretending(version('24.7.0')).stdout.split(':')
    assert.equal(folder, dirname(process.execPath))
  })
})

describe('programs of the project', () => {
  it('run on the Node of the packages, whatever npm links', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const [name, script] of Object.entries<string>(scripts)) assert.match(script, /^PATH=\$\(node infra\/preflight\.cjs\) && /, name)
  })
})
