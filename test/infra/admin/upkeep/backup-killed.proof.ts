import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { embeddedLayout } from '../../../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../../../shared/backends/objects/embedded.ts'
import { withMounts } from '../../../support/mounting.ts'
import { makeLibrary } from '../run-command.ts'

const cwd = fileURLToPath(new URL('../../../..', import.meta.url))
const ADMIN = [process.execPath, '--require', './infra/start-up.cjs', 'infra/admin/main.ts'] as const

/** How often a backup is killed. */
const KILLS = 10

describe('a backup that does not end', () => {
  let root: string
  let data: string
  let count = 0
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'media-library-killed-'))
    data = join(root, 'data')
    await makeLibrary(data)
    await addFiles(20)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  /** Objects of no known kind, each of which is a problem: so the check after a restore counts them. */
  async function addFiles(files: number): Promise<void> {
    const media = openEmbeddedObjects(embeddedLayout(data).media)
    for (let file = 0; file < files; file += 1) {
      await media.put(`backup-test/${count++}`, randomBytes(100_000), { contentType: 'application/octet-stream' })
    }
    media.close()
  }

  const environment = (directory: string) => ({ PATH: process.env.PATH, DATA_DIR: directory })
  const admin = (args: readonly string[], directory = data): SpawnSyncReturns<string> => {
    const [program, ...first] = ADMIN
    return spawnSync(program, [...first, ...args], { cwd, env: environment(directory), encoding: 'utf8' })
  }
  const backups = (target: string) => readdirSync(target).filter((name) => /^\d/.test(name))
  /** How many objects the restored library has, all of whose bytes were compared. */
  const restoredObjects = (target: string) => {
    const directory = join(root, `restored-${count++}`)
    const { stdout } = admin(['restore', target, '--json'], directory)
    const { problems } = JSON.parse(stdout) as { problems: { problem: string }[] }
    rmSync(directory, { recursive: true })
    assert.deepEqual([...new Set(problems.map(({ problem }) => problem))], ['unknown_object'])
    return problems.length
  }

  it('leaves the last good one, wherever it is killed', async () => {
    const target = join(root, 'killed')
    assert.equal(admin(['backup', target]).status, 0)
    const good = backups(target)
    let killed = 0
    while (killed < KILLS) {
      await addFiles(30)
      const [program, ...first] = ADMIN
      const child = spawn(program, [...first, 'backup', target], { cwd, env: environment(data), stdio: 'ignore' })
      const ended = once(child, 'close')
      // From its first file on, at any time.
      while (child.exitCode === null && !readdirSync(target).some((name) => name.startsWith('.making'))) await sleep(1)
      await sleep(Math.random() * 150)
      child.kill('SIGKILL')
      const [code] = await ended
      if (code === null) killed += 1
      for (const name of good) assert.ok(existsSync(join(target, name, 'manifest.json')))
      assert.ok(restoredObjects(target) >= 20)
    }
    const last = admin(['backup', target, '--json', '--verify'])
    assert.ok(JSON.parse(last.stdout).files >= 20 + 30 * KILLS, last.stderr)
    assert.equal(restoredObjects(target), JSON.parse(last.stdout).files)
    assert.deepEqual(
      readdirSync(target).filter((name) => name.startsWith('.making')),
      [],
    )
  })

  it('leaves the last good one where the target is full', withMounts, async () => {
    const target = join(root, 'full')
    mkdirSync(target)
    const script = `mount -t tmpfs -o size=20m tmpfs "$TARGET" || exit 9
      "$@" backup "$TARGET" || exit 8
      head -c 17000000 /dev/zero > "$TARGET/filler"
      DATA_DIR="$LARGER" "$@" backup "$TARGET"; echo "second $?"
      ls -A "$TARGET"
      du -s "$TARGET/objects"
      DATA_DIR="$TARGET/restored" "$@" restore "$TARGET" --check-only; echo "restore $?"`
    const small = join(root, 'small')
    await makeLibrary(small)
    const env = { ...environment(small), TARGET: target, LARGER: data }
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', ...ADMIN], { cwd, env, encoding: 'utf8' })
    assert.match(stderr, /There is no new backup in .*no space left.*Those before are as they were/i)
    assert.match(stdout, /second 1\n/)
    assert.match(stdout, /is good\.\nrestore 0\n/)
    assert.doesNotMatch(stdout, /\.making/)
    // Nothing of what was brought stays.
    assert.ok(Number(/^(\d+)\t/m.exec(stdout)?.[1]) < 100, stdout)
  })
})
