import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, it, test } from 'vitest'
import { skippedFor } from '../../support/skipping.ts'

/** The address of a module, as a literal: a path may have an apostrophe. */
const tools = (module: string) => JSON.stringify(new URL(`../../../shared/tools/${module}`, import.meta.url).href)

/** What a program prints that runs in a process and a session of its own: what a system starts first may have none with a priority. */
async function printed(program: string): Promise<string> {
  const source = `import { getPriority, setPriority } from 'node:os'
    import { readFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { lowerPriority } from ${tools('processes/priority.ts')}
    const session = (process) => /nice (-?\\d+)/.exec(readFileSync('/proc/' + process + '/autogroup', 'utf8'))[1]
    ${program}`
  const args = ['--input-type=module', '--eval', source]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(code, 0)
  return output.trim()
}

/** The priority of a process that had one of 15, and gave way. */
const priorityAfter = async (least: number) => Number(await printed(`setPriority(15); lowerPriority(${least}); console.log(getPriority())`))

test('a process gives way, but keeps a lower priority that it has: without being root it could not start', async () => {
  assert.equal(await priorityAfter(19), 19)
  assert.equal(await priorityAfter(5), 15)
})

describe('where time is shared among sessions', skippedFor(!existsSync('/proc/self/autogroup') && 'it is not shared here'), () => {
  /** The priority of the session of a detached process that one of priority 12 starts, and that ends when its input or channel does. */
  const sessionOf = (start: string) =>
    printed(`setPriority(12)
      ${start}
      let child = ''
      for (let look = 0; look < 50 && (child === '' || session(child) !== '12'); look++) {
        await sleep(50)
        child = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ')[0]
      }
      console.log(session(child))
      process.exit()`)

  it('a process that gives way leaves its session, which is the one of others, as it is', async () => {
    const sessions = await printed(`console.log(session('self')); lowerPriority(19); console.log(session('self'))`)
    const [before, after] = sessions.split('\n')
    assert.equal(after, before)
  })

  it('what it starts in a session of its own is as far behind: a module', async () => {
    const start = `new ModuleProcess({ detached: true, module: new URL(${tools('imaging/link-picture-worker.ts')}), env: {} })`
    assert.equal(await sessionOf(`import { ModuleProcess } from ${tools('processes/module-process.ts')}; ${start}`), '12')
  })
})
