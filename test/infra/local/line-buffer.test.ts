import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, it } from 'vitest'

const module = JSON.stringify(new URL('../../../infra/local/line-buffer.ts', import.meta.url))

/** Runs a program that has a buffer over standard error. @returns what it wrote there */
async function written(program: string): Promise<string> {
  const source = `import { lineBuffer } from ${module}\nconst lines = lineBuffer((text) => process.stderr.write(text))\n${program}`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source])
  return (await run.catch((error) => error)).stderr
}

describe('a buffer of lines', () => {
  it('writes what waits when the process ends, whether by itself or by an exit', async () => {
    assert.equal(await written("lines.add('last')"), 'last\n')
    assert.equal(await written("lines.add('last'); process.exit(1)"), 'last\n')
  })

  it('writes what waits before the trace of a crash', async () => {
    assert.match(await written("lines.add('last'); throw new Error('crashed')"), /^last\n[\s\S]*Error: crashed/)
    assert.match(await written("lines.add('last'); Promise.reject(new Error('crashed'))"), /^last\n[\s\S]*Error: crashed/)
  })
})
