import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, seededMutants } from './mutants.ts'

/**
 * Whether `npm test` notices mistakes: small seeded changes of the source (`areas.ts` says where), each tried by the tests that run the changed
 * place, the nearest first. Prints what nothing noticed, and fails where that is more than a tenth. `npm run test:mutations -- --only 17` tries one.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    'per-area': { type: 'string', default: '34' },
    only: { type: 'string' },
    report: { type: 'string' },
  },
})

/** Of mutants, what must be noticed at least. */
const NOTICED = 0.9
/** Test files that are run together: few first, because most mutants fail at once. */
const BATCHES = [4, 20, Number.POSITIVE_INFINITY]
/** A run that takes longer hangs, which is noticed. A mistake that makes loops endless needs it. */
const RUN_LIMIT_MS = 240_000
const LEARNING_LIMIT_MS = 1_800_000
const PROJECTS = ['--project', 'unit*', '--project', 'journeys']

interface Hits {
  file: string
  milliseconds: number
  ids: number[]
}

interface Verdict {
  mutant: Mutant
  /** Test files that run the place. */
  files: number
  noticed: boolean
}

const folder = mkdtempSync(join(tmpdir(), 'mutations-'))
const mutantsFile = join(folder, 'mutants.json')
const hitsFile = join(folder, 'hits')

/** Runs Vitest. @returns whether all tests passed */
function passes(args: readonly string[], env: Record<string, string>, limit: number): Promise<boolean> {
  const configuration = ['--run', '--config', 'test/mutations/vitest.config.ts', '--root', '.', ...PROJECTS]
  const command = ['node_modules/vitest/vitest.mjs', ...args, ...configuration]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      env: { ...process.env, MUTANTS: mutantsFile, ...env },
      stdio: 'ignore',
      detached: true,
    })
    // With its workers: it leads their group.
    const end = () => process.kill(-child.pid!, 'SIGKILL')
    const timer = setTimeout(end, limit)
    process.once('exit', end)
    child.on('close', (code) => {
      clearTimeout(timer)
      process.off('exit', end)
      resolve(code === 0)
    })
  })
}

/** Near tests are in the folder that mirrors the source's; of those that are as near, quick ones come first. */
function nearestFirst({ file }: Mutant, hits: readonly Hits[]): string[] {
  const near = file.replace(/^shared/, 'test').replace(/[^/]*$/, '')
  const distance = (test: Hits) => (test.file.startsWith(near) ? 0 : 1)
  return hits.toSorted((a, b) => distance(a) - distance(b) || a.milliseconds - b.milliseconds).map((test) => test.file)
}

async function tryMutant(mutant: Mutant, hits: readonly Hits[]): Promise<Verdict> {
  const files = nearestFirst(
    mutant,
    hits.filter(({ ids }) => ids.includes(mutant.id)),
  )
  let noticed = false
  for (let from = 0, batch = 0; from < files.length && !noticed; from += BATCHES[batch++]!) {
    const some = files.slice(from, from + BATCHES[batch]!)
    noticed = !(await passes(['run', ...some, '--bail', '1', '--maxWorkers', '1'], { MUTANT: String(mutant.id) }, RUN_LIMIT_MS))
  }
  return { mutant, files: files.length, noticed }
}

function describe({ id, area, file, line, original, mutated }: Mutant): string {
  const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  return `${id} (${area}) ${file}:${line}: ${short(original)}  ->  ${short(mutated) || 'nothing'}`
}

async function main(): Promise<void> {
  const mutants = seededMutants(Number(values.seed), Number(values['per-area']))
  writeFileSync(mutantsFile, JSON.stringify(mutants))
  writeFileSync(hitsFile, '')
  console.log(`${mutants.length} mutants. All tests that load their files run once, to learn which of them run each place.`)
  const sources = new Set(mutants.map(({ file }) => file))
  if (!(await passes(['related', ...sources], { MUTANT_HITS: hitsFile }, LEARNING_LIMIT_MS))) throw new Error('Tests fail without a mutant')
  const hits: Hits[] = readFileSync(hitsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

  const waiting = mutants.filter(({ id }) => values.only === undefined || id === Number(values.only))
  const verdicts: Verdict[] = []
  const lane = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await tryMutant(mutant, hits)
      verdicts.push(verdict)
      if (!verdict.noticed) console.log(`${verdict.files === 0 ? 'not run by any test' : 'not noticed'}: ${describe(mutant)}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))

  for (const area of [...new Set(mutants.map((mutant) => mutant.area)), undefined]) {
    const some = verdicts.filter(({ mutant }) => area === undefined || mutant.area === area)
    const noticed = some.filter((verdict) => verdict.noticed).length
    console.log(`${area ?? 'all'}: ${noticed} of ${some.length} noticed`)
  }
  if (values.report) writeFileSync(values.report, JSON.stringify(verdicts))
  if (verdicts.filter(({ noticed }) => noticed).length < NOTICED * verdicts.length) process.exitCode = 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
process.once('exit', () => rmSync(folder, { recursive: true }))
await main()
