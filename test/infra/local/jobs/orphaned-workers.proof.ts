import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, test, vi } from 'vitest'
import { Background } from './background.ts'

const addressOf = (module: string) => JSON.stringify(new URL(`../../../../${module}`, import.meta.url))
const picture = {
  path: '/nowhere',
  wanted: { mime: 'image/png', target: { width: 1, height: 1 }, transparent: false, labels: { copyright: null, digitalSourceType: null } },
}

/** What each worker is asked; it has an answer soon. */
const orders = {
  'infra/local/jobs/worker.ts': { consumer: 'nobody', event: {}, now: 0 },
  'shared/tools/imaging/link-picture-worker.ts': picture,
  'shared/tools/imaging/profile-image-worker.ts': { picture: Buffer.from('no picture'), maxBytes: 1 },
  'shared/tools/video/probe-worker.ts': { path: '/nowhere' },
}

/** Holds back what a worker answers until the process that started it is gone, which the worker has not learnt by then. */
const late = (mark: string) => `
import { writeFileSync } from 'node:fs'
const { ppid, send } = process
process.send = (...answer) => {
  writeFileSync(${JSON.stringify(mark)}, String(process.pid))
  while (process.ppid === ppid) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  return send.apply(process, answer)
}
`

describe('a worker whose server is killed', () => {
  const background = new Background(afterAll)
  const { directory } = background

  test.each(Object.entries(orders))('ends without a word: %s', async (module, order) => {
    const mark = join(directory, `${module.replaceAll('/', '-')}.answers`)
    const preload = join(directory, `${module.replaceAll('/', '-')}.mjs`)
    await writeFile(preload, late(mark))
    const program = `
      const { ModuleProcess } = await import(${addressOf('shared/tools/processes/module-process.ts')})
      const start = { module: new URL(${addressOf(module)}), args: [process.argv[1]], env: { TMPDIR: process.argv[2] } }
      const order = ${JSON.stringify(order)}
      if (order.picture) order.picture = Buffer.from(order.picture.data)
      await new ModuleProcess({ ...start, execArgv: ['--import', ${JSON.stringify(preload)}] }).ask(order)
    `
    const server = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(background.setup), directory], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // Settled once the worker has ended, too: it has the same standard error.
    const [closed, said] = [once(server, 'close'), text(server.stderr)]
    await vi.waitUntil(() => existsSync(mark) || server.exitCode !== null, { timeout: 120_000, interval: 20 })
    server.kill('SIGKILL')
    await closed
    assert.equal(await said, '')
    assert.ok(existsSync(mark), 'it had an answer')
  })
})
