import { spawn } from 'node:child_process'
import { once } from 'node:events'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How many characters of the output are kept. */
const KEPT = 100_000

/**
 * Runs a program and passes its output on while it runs. What ends this process ends it first: nothing goes on deploying unseen.
 * @returns its exit code, and the end of its output
 */
export async function echoed(program: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const colors = process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}
  const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'pipe'], env: { ...process.env, ...colors } })
  let output = ''
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT)
      to.write(text)
    })
  }
  const end = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of signals) process.on(signal, end)
  const [code] = (await once(child, 'close')) as [number | null]
  for (const signal of signals) process.off(signal, end)
  return { code: code ?? 1, output }
}
