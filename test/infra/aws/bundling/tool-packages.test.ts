import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { type Lock, lockOf } from '../../../../infra/aws/bundling/tool-packages.ts'

const projectRoot = join(import.meta.dirname, '../../../..')
const projectLock: Lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))

describe('the lock of the tools that functions carry', () => {
  const { manifest, lock } = lockOf(['sharp'], projectLock)

  test('holds a package and all it depends on, as the project locked them, and nothing else', () => {
    for (const path of [
      'node_modules/sharp',
      'node_modules/@img/sharp-linux-arm64',
      'node_modules/@img/sharp-libvips-linux-arm64',
      'node_modules/semver',
    ]) {
      assert.deepEqual(lock.packages[path as keyof typeof lock.packages], projectLock.packages[path], path)
    }
    assert.equal(manifest.dependencies.sharp, projectLock.packages['node_modules/sharp']!.version)
    assert.ok(!Object.keys(lock.packages).some((path) => /zod|aws|exiftool|\/node-linux/.test(path)))
  })

  test('a package that lies below another, or beside it there, is found', () => {
    const nested: Lock = {
      packages: {
        'node_modules/a': { version: '1.0.0', dependencies: { b: '^2.0.0' } },
        'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '^2.0.0' } },
        'node_modules/a/node_modules/c': { version: '2.0.0' },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/c': { version: '1.0.0' },
      },
    }
    const below = ['b', 'c'].map((name) => `node_modules/a/node_modules/${name}`)
    assert.deepEqual(Object.keys(lockOf(['a'], nested).lock.packages), ['', 'node_modules/a', ...below])
  })

  test('the renderer of links takes less than 40 MB with its packages, as they are installed here', async () => {
    const paths = Object.keys(lock.packages).filter((path) => path !== '' && existsSync(join(projectRoot, path)))
    assert.ok(paths.some((path) => path.includes('libvips')))
    const sizes = paths.map(async (path) => {
      const files = await readdir(join(projectRoot, path), { recursive: true, withFileTypes: true })
      const stats = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)))
      return (await Promise.all(stats)).reduce((sum, { size }) => sum + size, 0)
    })
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    // The bundle has a budget of its own (bundle-budgets.ts).
    assert.ok(bytes > 5_000_000 && bytes < 39_000_000, `${bytes} bytes`)
  })

  test('a package that the project does not lock is refused', () => {
    assert.throws(() => lockOf(['left-pad'], projectLock), /does not lock left-pad/)
  })
})
