import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, test } from 'vitest'
import { builtConsole, consoleSources, consoleVersion } from '../../../../infra/clients/console/built.ts'
import { type ConsoleFile, consoleFiles, consoleHeaders, SHARE_SCRIPT } from '../../../../infra/clients/console/console-files.ts'

const sources = globSync('infra/clients/console/app/**/*.{ts,svelte}')
const importsIn = (file: string) => [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import\(?) ?'([^']+)'/g)].map((match) => match[1]!)

describe('the built console', () => {
  let files: ConsoleFile[]
  beforeAll(async () => {
    files = await consoleFiles(await builtConsole())
  })
  const textOf = (path: string) => files.find((file) => file.path === path)?.body.toString() ?? assert.fail(`no ${path}`)

  test('is made without packages of development, so also after `npm ci --omit=dev`', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const needed = [...sources, 'infra/clients/console/build.ts', 'infra/clients/console/built.ts'].flatMap(importsIn)
    const packages = needed.filter((name) => !name.startsWith('.') && !name.startsWith('node:') && !builtinModules.includes(name))
    const names = packages.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0])
    assert.deepEqual(
      [...new Set(names)].filter((name) => !(name in dependencies)),
      [],
    )
  })

  test('knows the service by its document alone: of the project it has the client package, types of the API, and the table of editable fields', () => {
    const made = new Set([...consoleSources(), resolve('dist/api.d.ts')])
    const reached = new Set(sources.map((file) => resolve(file)))
    for (const file of reached) {
      assert.ok(made.has(file), file)
      for (const name of importsIn(file)) if (name.startsWith('.') && !file.endsWith('.d.ts')) reached.add(resolve(file, '..', name))
    }
  })

  test('is there once, however many ask for it at a time', async () => {
    const paths = await Promise.all([
      builtConsole(),
      builtConsole(),
      promisify(execFile)(process.execPath, ['infra/clients/console/build.ts']),
    ])
    assert.equal(paths[0], paths[1])
    assert.ok(paths[0].endsWith(join('dist/console', consoleVersion())))
  })

  const gzipped = (path: string) => gzipSync(textOf(path), { level: 9 }).length
  /** What is loaded with files of the console: what they import as they start. */
  const withImports = (paths: Iterable<string>) => {
    const loaded = new Set(paths)
    for (const path of loaded)
      if (path.endsWith('.js'))
        for (const [, name] of textOf(path).matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) loaded.add(`assets/${name}`)
    return loaded
  }

  test('loads five files of less than 120 KB before it shows a list', () => {
    const page = textOf('index.html')
    const loaded = withImports([...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map((match) => match[1]!))
    const languages = files.filter(({ path }) => /assets\/(da|de)-/.test(path)).map(({ path }) => gzipped(path))
    const bytes = gzipSync(page).length + [...loaded].reduce((sum, path) => sum + gzipped(path), 0) + Math.max(...languages)
    console.log(`first load: ${bytes} bytes`)
    assert.ok(bytes < 120_000, `${bytes} bytes`)
    assert.ok(loaded.size <= 5, [...loaded].join())
  })

  test('loads six files of less than 60 KB behind a share link', () => {
    const loaded = withImports([SHARE_SCRIPT, ...[...textOf(SHARE_SCRIPT).matchAll(/"(assets\/[^"]+)"/g)].map((match) => match[1]!)])
    const bytes = [...loaded].reduce((sum, path) => sum + gzipped(path), 0)
    assert.ok(loaded.size <= 6 && bytes < 60_000, `${[...loaded]}: ${bytes} bytes`)
  })

  test('has nothing inline that its policy forbids', () => {
    assert.doesNotMatch(textOf('index.html'), /<script>|<style| style=| on\w+=/)
    for (const { path, body } of files) if (path.endsWith('.js')) assert.doesNotMatch(body.toString(), /\beval\(|new Function\(/, path)
  })
})

describe("the console's headers", () => {
  const policy = consoleHeaders({ links: 'https://cdn.example', files: 'https://files.example', uploads: 'https://up.example' })[
    'content-security-policy'
  ]!

  test.each([
    ["default-src 'none'"],
    ["script-src 'self'"],
    ["style-src 'self'"],
    ["require-trusted-types-for 'script'"],
    ['trusted-types svelte-trusted-html'],
    ["frame-ancestors 'none'"],
    ["img-src 'self' https://files.example https://cdn.example data: blob:"],
    ["media-src 'self' https://files.example https://cdn.example blob:"],
    ["connect-src 'self' https://files.example https://up.example https://cdn.example"],
  ])('hold %s', (directive) => {
    assert.ok(policy.split('; ').includes(directive))
    assert.doesNotMatch(policy, /unsafe|\*/)
  })
})
