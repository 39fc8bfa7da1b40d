import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { type Lock, lockOf } from '../../../infra/bundling/tool-packages.ts'

const projectLock: Lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'))

describe('the lock of the tools that functions carry', () => {
  const { manifest, lock } = lockOf(['sharp'], projectLock)

  test('holds a package and all it depends on, as the project locked them', () => {
    for (const path of [
      'node_modules/sharp',
      'node_modules/@img/sharp-linux-arm64',
      'node_modules/@img/sharp-libvips-linux-arm64',
      'node_modules/semver',
    ]) {
      assert.deepEqual(lock.packages[path as keyof typeof lock.packages], projectLock.packages[path], path)
    }
    assert.equal(manifest.dependencies.sharp, projectLock.packages['node_modules/sharp']!.version)
  })

  test('holds nothing else', () => {
    assert.ok(!Object.keys(lock.packages).some((path) => /zod|aws|exiftool|\/node-linux/.test(path)))
  })

  test('a package that lies below another is found there', () => {
    const nested: Lock = {
      packages: {
        'node_modules/a': { version: '1.0.0', dependencies: { b: '^2.0.0' } },
        'node_modules/a/node_modules/b': { version: '2.0.0' },
        'node_modules/b': { version: '1.0.0' },
      },
    }
    assert.deepEqual(Object.keys(lockOf(['a'], nested).lock.packages), ['', 'node_modules/a', 'node_modules/a/node_modules/b'])
  })

  test('a package that the project does not lock is refused', () => {
    assert.throws(() => lockOf(['left-pad'], projectLock), /does not lock left-pad/)
  })
})
