import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'commit-subjects-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** @returns the exit code of the hook */
function committing(message: string): number | null {
  const file = join(directory, 'COMMIT_EDITMSG')
  writeFileSync(file, message)
  return spawnSync(join(root, '.githooks/commit-msg'), [file], { cwd: root }).status
}

test('a commit whose subject has more than 72 characters is refused', () => {
  assert.equal(committing(`${'é'.repeat(72)}\n\n${'a long line of the body '.repeat(10)}\n`), 0)
  assert.equal(committing(`${'e'.repeat(73)}\n\nBody\n`), 1)
})
