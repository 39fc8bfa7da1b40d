/**
 * `npm run rehearse`: creates the stack with default settings on an emulator of AWS, walks through it, changes it, and
 * destroys it. Closes with the counts over all tests; exit code 1 when one failed. Where the emulator can't be had, it is skipped loudly.
 */
import { appendFile, glob } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolPackages } from '../../infra/bundling/tool-packages.ts'
import { EngineUnavailable } from '../support/aws/engine.ts'
import { Assembly } from '../support/aws/stack-assembly.ts'
import { inventory } from '../support/aws/stack-inventory.ts'
import { stateOf } from '../support/aws/stack-outputs.ts'
import { openStage, type Stage } from '../support/aws/stack-stage.ts'
import { runTests } from '../support/aws/test-run.ts'
import { type Counts, countsLine } from '../support/counts.ts'
import { limits } from './limits.ts'

const STACK = 'media-library'
/** What runs against the stack, the very journeys that run against the server of one machine among them. */
const serving = ['test/every-endpoint.test.ts', 'test/journeys/*.test.ts', 'test/rehearsal/serving/*.rehearsal.ts']
/** What needs it for itself, in this order: what breaks and changes it, and takes it away. */
const changing = [
  'test/rehearsal/aftermath.rehearsal.ts',
  'test/rehearsal/interrupted.rehearsal.ts',
  'test/rehearsal/update.rehearsal.ts',
  'test/rehearsal/second-stack.rehearsal.ts',
  'test/rehearsal/destroy.rehearsal.ts',
]

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort())

/** What the emulator can't do, then every test that was skipped. */
const unproved: string[] = [...limits]
const total: Counts = { passed: 0, failed: 0, skipped: 0 }

async function step(name: string, act: () => Promise<string>): Promise<void> {
  interrupted.signal.throwIfAborted()
  const started = performance.now()
  const said = await act()
  console.log(`\n=== ${name}: ${Math.round((performance.now() - started) / 1000)} s\n${said}`)
}

async function tests(files: readonly string[], environment: Record<string, string>): Promise<string> {
  const { counts, output } = await runTests('rehearsal', files, environment, interrupted.signal)
  for (const kind of ['passed', 'failed', 'skipped'] as const) total[kind] += counts[kind]
  for (const [, skipped] of output.matchAll(/^skipped: (.+)$/gm)) unproved.push(skipped!)
  return output
}

async function rehearse(stage: Stage): Promise<void> {
  const { cdk, port, folder } = stage
  const environment: Record<string, string> = {
    ...stage.environment,
    REHEARSAL_FOLDER: folder,
    SERVICE_EMULATOR: stage.environment.AWS_ENDPOINT_URL!,
  }
  let assembly: Assembly | undefined
  await step('synthesize, bootstrap', async () => {
    await (await ToolPackages.of(process.cwd())).fetch()
    const synthesized = Assembly.synthesize(cdk, join(folder, STACK), port)
    await Promise.all([synthesized, stage.prepare()])
    assembly = await synthesized
    environment.REHEARSAL_BEFORE = JSON.stringify(await inventory(environment))
    return `${Object.keys(assembly.template.Resources).length} resources`
  })
  await step('deploy', async () => {
    await cdk.deploy(assembly!)
    environment.SERVICE_URL = (await stateOf(STACK, environment)).outputs.BaseUrl!
    environment.SERVICE_STACK = STACK
    return environment.SERVICE_URL
  })
  const files = await Array.fromAsync(glob(serving))
  await step('walk through the deployed stack', () => tests(files.sort(), environment))
  for (const file of changing) await step(file, () => tests([file], environment))
}

try {
  const stage = await openStage(interrupted.signal)
  try {
    await rehearse(stage)
  } finally {
    await stage.stop()
  }
} catch (error) {
  if (error instanceof EngineUnavailable) {
    console.error(`\n!!! SKIPPED: the stack can't be rehearsed on this machine: ${error.message}\n`)
    total.skipped++
  } else {
    console.error(error)
    total.failed++
  }
}
console.log(`\nnot proved here:\n${unproved.map((what) => `  - ${what}`).join('\n')}\n\n${countsLine(total)}`)
if (process.env.TEST_COUNTS) await appendFile(process.env.TEST_COUNTS, countsLine(total))
process.exitCode = total.failed > 0 || interrupted.signal.aborted ? 1 : 0
