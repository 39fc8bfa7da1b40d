import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How many characters of the output are kept. */
const KEPT = 100_000

/** Runs a program and passes its output on while it runs. @returns its exit code, and the end of its output */
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
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, output }
}
