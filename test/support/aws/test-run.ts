import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, sumCounts } from '../counts.ts'
import { withoutAws } from './engine.ts'

/**
 * Runs test files in a process of their own.
 *
 * @param project the Vitest project that they belong to
 * @param environment on top of this process's own without AWS
 * @returns how they ended, and what they wrote
 */
export async function runTests(
  project: 'aws' | 'rehearsal',
  files: readonly string[],
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<{ counts: Counts; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'test-counts-'))
  const countsFile = join(folder, 'counts')
  try {
    const child = spawn('vitest', ['run', '--project', project, ...files], {
      env: { ...withoutAws(process.env), ...environment, TEST_COUNTS: countsFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const interrupt = () => child.kill('SIGTERM')
    signal.addEventListener('abort', interrupt)
    const [code] = await once(child, 'close')
    signal.removeEventListener('abort', interrupt)
    const total = sumCounts(await readFile(countsFile, 'utf8').catch(() => ''))
    return { counts: code === 0 ? total : { ...total, failed: Math.max(total.failed, 1) }, output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
