import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { onTestFinished, test, vi } from 'vitest'
import { keptPath, madeOnce } from './kept-files.ts'
import { testVideo, withVideos } from './videos.ts'

test('a file that several ask for at a time is whole for each of them, and stays', async () => {
  const name = `kept-${process.pid}.txt`
  onTestFinished(() => rm(keptPath(name)))
  const paths = await Promise.all([1, 2, 3].map(() => madeOnce(name, (path) => writeFile(path, 'made'))))
  for (const path of paths) assert.equal(await readFile(path, 'utf8'), 'made')
  assert.deepEqual(await madeOnce(name, () => assert.fail('it is there')), keptPath(name))
})

test("a film doesn't lie in the system's temporary folder, where another user's may be in the way", withVideos, async () => {
  vi.stubEnv('TMPDIR', '/dev/null')
  onTestFinished(() => void vi.unstubAllEnvs())
  assert.ok((await readFile(await testVideo({ seconds: 0.2, sound: 'none' }))).length > 0)
})
