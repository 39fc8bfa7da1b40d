import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { copyProject } from '../support/project-copy.ts'

const run = promisify(execFile)
const root = dirname(dirname(import.meta.dirname))

/** A step of a recipe: a file, or lines that come after others in one. */
interface Step {
  path: string
  after?: string
  text: string
}

/** The steps of a section of a README, and the tests that it runs at the end: arguments of the runner. */
async function recipe(readme: string, heading: string): Promise<{ steps: Step[]; tests: string[][] }> {
  const text = await readFile(join(root, readme), 'utf8')
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`))
  assert.ok(section, `${readme} has no section "${heading}"`)
  const blocks = [...section.matchAll(/^```(ts|sh)\n(.*?)^```$/gms)].map(([, language, code = '']) => ({ language, code }))
  const steps = blocks.flatMap(({ language, code }) => {
    const [, path, after, lines] = /^\/\/ (\S+\.ts)(?:, after `(.+)`)?\n(.*)$/s.exec(code) ?? []
    if (language === 'ts') assert.ok(path && lines, `a block says no file:\n${code}`)
    return path && lines ? [{ path, ...(after !== undefined && { after }), text: lines }] : []
  })
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
  return { steps, tests: [...commands.join('').matchAll(/^npm test -- (.+)$/gm)].map(([, args = '']) => args.split(' ')) }
}

/** A copy of the project, with its packages. */
async function copyOfProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'recipe-'))
  await copyProject(copy)
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function take(copy: string, { path, after, text }: Step): Promise<void> {
  const file = join(copy, path)
  if (after === undefined) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return
  }
  const lines = (await readFile(file, 'utf8')).split('\n')
  const at = lines.indexOf(after)
  assert.ok(at >= 0, `${path} has no line "${after}"`)
  lines.splice(at + 1, 0, text.trimEnd())
  await writeFile(file, lines.join('\n'))
}

/** Runs a program of the project. What it says is the failure's message. */
async function must(copy: string, program: string, ...args: string[]): Promise<void> {
  await run(join(copy, 'node_modules/.bin', program), args, { cwd: copy, maxBuffer: 1024 ** 3 }).catch((error) => {
    assert.fail(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`)
  })
}

const recipes = [
  ['functions/README.md', 'Add an endpoint'],
  ['functions/jobs/README.md', 'Add a job'],
  ['shared/library/README.md', 'Add a domain event'],
  ['shared/library/README.md', 'Add an editable field'],
  ['shared/backends/README.md', 'Add a port'],
] as const

/** One copy takes them all: they don't get in each other's way, and types, lint and tests run once. */
describe('recipes', () => {
  let copy: string
  const paths = new Set<string>()
  const testRuns: string[][] = []
  beforeAll(async () => {
    copy = await copyOfProject()
  })
  afterAll(() => rm(copy, { recursive: true, force: true }))

  for (const [readme, heading] of recipes) {
    test(`${readme}: ${heading}`, async () => {
      const { steps, tests } = await recipe(readme, heading)
      assert.ok(steps.length > 0 && tests.length > 0)
      for (const step of steps) await take(copy, step)
      for (const { path } of steps) paths.add(path)
      testRuns.push(...tests)
    })
  }

  test('pass types and lint', async () => {
    await must(copy, 'biome', 'check', '--write', ...paths)
    await must(copy, 'biome', 'check', ...paths)
    await must(copy, 'node', 'infra/clients/client/api-types.ts')
    await must(copy, 'tsc', '--noEmit')
    await must(copy, 'depcruise', 'functions', 'shared', 'infra')
  })

  test('pass the tests that they name', async () => {
    const [some, whole] = [testRuns.filter((args) => args.includes('-t')), testRuns.filter((args) => !args.includes('-t'))]
    assert.ok(whole.length > 0)
    for (const args of [...some, whole.flat()]) {
      await must(copy, 'vitest', 'run', '--project', 'unit', '--project', 'journeys', ...args)
    }
  })
})
