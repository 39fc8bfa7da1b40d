import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'
import { lineBuffer } from '../../../infra/local/line-buffer.ts'
import { until } from '../../support/until.ts'

const module = JSON.stringify(new URL('../../../infra/local/line-buffer.ts', import.meta.url))

/** Runs a program that has a buffer over standard error. @returns what it wrote there */
async function written(program: string): Promise<string> {
  const source = `import { lineBuffer } from ${module}\nconst lines = lineBuffer((text) => process.stderr.write(text))\n${program}`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source])
  return (await run.catch((error) => error)).stderr
}

describe('a buffer of lines', () => {
  it('writes the lines of a moment together, in their order', async () => {
    const writes: string[] = []
    const lines = lineBuffer((text) => writes.push(text))
    lines.add('one')
    lines.add('two')
    assert.deepEqual(writes, [])
    await until(() => writes.length > 0)
    assert.deepEqual(writes, ['one\ntwo\n'])
    lines.add('three')
    lines.flush()
    lines.flush()
    assert.deepEqual(writes, ['one\ntwo\n', 'three\n'])
  })

  it('does not let many lines wait', () => {
    const writes: string[] = []
    const lines = lineBuffer((text) => writes.push(text))
    for (let n = 0; n < 1_000; n++) lines.add('x'.repeat(100))
    assert.ok(writes.length > 0)
    lines.flush()
    assert.equal(writes.join('').length, 101_000)
  })

  it('writes what waits when the process ends, whether by itself or by an exit', async () => {
    assert.equal(await written("lines.add('last')"), 'last\n')
    assert.equal(await written("lines.add('last'); process.exit(1)"), 'last\n')
  })

  it('writes what waits before the trace of a crash', async () => {
    assert.match(await written("lines.add('last'); throw new Error('crashed')"), /^last\n[\s\S]*Error: crashed/)
    assert.match(await written("lines.add('last'); Promise.reject(new Error('crashed'))"), /^last\n[\s\S]*Error: crashed/)
  })

  it('keeps the process from nothing, and lets it end on a signal that it handles', async () => {
    const source = `import { lineBuffer } from ${module}
      const lines = lineBuffer((text) => process.stderr.write(text))
      process.on('SIGTERM', () => process.exit(0))
      setInterval(() => undefined, 1_000)
      process.on('SIGUSR2', () => {
        lines.add('last')
        process.kill(process.pid, 'SIGTERM')
      })
      process.stdout.write('ready')`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['ignore', 'pipe', 'pipe'] })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    await once(child.stdout, 'data')
    child.kill('SIGUSR2')
    const [code] = await once(child, 'close')
    assert.deepEqual([code, errors], [0, 'last\n'])
  })
})
