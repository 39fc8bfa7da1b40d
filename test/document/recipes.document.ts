import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const root = dirname(dirname(import.meta.dirname))

/** A step of a recipe: a file, or lines that come after others in one. */
interface Step {
  path: string
  after?: string
  text: string
}

/** The steps and the named test files of a section of a README. */
async function recipe(readme: string, heading: string): Promise<{ steps: Step[]; tests: string[] }> {
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
  return { steps, tests: [...commands.join('').matchAll(/^npm test -- (\S+\.test\.ts)/gm)].map(([, path]) => path!) }
}

/** A copy of the project, with its packages. */
async function copyOfProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'recipe-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  const { stdout } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, maxBuffer: 1024 ** 3 })
  for (const path of stdout.trim().split('\n')) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await cp(join(root, path), join(copy, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted, and not committed yet.
      if (error.code !== 'ENOENT') throw error
    })
  }
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

describe('recipes', () => {
  for (const [readme, heading] of [['functions/README.md', 'Add a job']] as const) {
    test(`${readme}: ${heading}`, async () => {
      const { steps, tests } = await recipe(readme, heading)
      assert.ok(steps.length > 0 && tests.length > 0)
      const copy = await copyOfProject()
      for (const step of steps) await take(copy, step)
      const paths = [...new Set(steps.map(({ path }) => path))]
      await must(copy, 'biome', 'check', '--write', ...paths)
      await must(copy, 'biome', 'check', ...paths)
      await must(copy, 'tsc', '--noEmit')
      await must(copy, 'depcruise', 'functions', 'shared')
      await must(copy, 'vitest', 'run', '--project', 'unit', '--project', 'journeys', '--maxWorkers=1', ...tests)
    })
  }
})
