import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, posix, resolve } from 'node:path'
import { describe, it } from 'vitest'
import { Workspace } from '../shared/tools/workspace.ts'

/** What `npm run lint` runs. */
const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
const config = resolve('.dependency-cruiser.mjs')

/** An import, of types only where it isn't said otherwise. A package or a module of Node is named as it is imported, a file by its path. */
type Import = readonly [from: string, to: string, of?: 'values']

/** For each rule imports that break it, and no other rule. Those of the domain's floors are made from one list. */
const forbidden: Readonly<Record<string, readonly Import[]>> = {
  'no-cycle-of-files': [
    ['shared/log/log.ts', 'shared/log/json-log.ts'],
    ['shared/log/json-log.ts', 'shared/log/log.ts'],
  ],
  'no-cycle-of-folders': [
    ['infra/aws/stack/stack.ts', 'infra/aws/bundling/entries.ts'],
    ['infra/aws/bundling/bundle.ts', 'infra/aws/stack/settings.ts'],
  ],
  'every-import-is-found': [['infra/app.ts', 'infra/missing.ts']],
  'infra-is-the-top': [['shared/lambda-process.ts', 'infra/aws/grants.ts']],
  'functions-above-shared': [['shared/http/openapi/documentation.ts', 'functions/endpoints.ts']],
  'functions-over-ports': [['functions/folder/get-folder.ts', 'shared/backends/table/embedded.ts']],
  'http-over-ports': [['shared/http/kernel/authenticate.ts', 'shared/backends/table/embedded.ts']],
  'declarations-below-the-kernel': [['shared/http/declaration/fields.ts', 'shared/http/kernel/input.ts']],
  'library-over-ports': [['shared/library/folders/tags.ts', 'shared/backends/table/embedded.ts']],
  'library-without-protocols': [['shared/library/folders/folders.ts', 'shared/http/declaration/endpoint.ts']],
  'library-without-files': [['shared/library/imports/import-media.ts', 'node:fs/promises']],
  'library-has-floors': [['shared/library/streams/stream.ts', 'shared/library/errors.ts']],
  'floor-ground': [['shared/library/due.ts', 'shared/library/tree/folder.ts']],
  'floor-concurrency': [['shared/library/concurrency/retry.ts', 'shared/library/jobs/claim.ts']],
  'floor-jobs': [['shared/library/jobs/run.ts', 'shared/library/tree/folder.ts']],
  'floor-use-cases': [['shared/library/trash/expiry.ts', 'shared/library/removals/pointers.ts']],
  'floor-webhooks': [['shared/library/webhooks/queue.ts', 'shared/library/check/check.ts']],
  'media-has-one-writer': [
    ['shared/library/uploads/uploads.ts', 'shared/library/media/keys.ts'],
    ['shared/library/imports/import-media.ts', 'shared/library/media/changes.ts'],
  ],
  'vocabulary-alone': [['shared/vocabulary/term.ts', 'shared/library/errors.ts']],
  'backends-below-the-domain': [['shared/backends/search/embedded.ts', 'shared/library/search/scope.ts']],
  'tools-are-handed-in': [['shared/library/errors.ts', 'shared/tools/imaging/render.ts', 'values']],
  'tools-below-the-domain': [['shared/tools/digest.ts', 'shared/library/errors.ts']],
  'operators-command-alone': [['infra/admin/people/user.ts', 'infra/clients/cli/output.ts']],
  'local-server-alone': [
    ['infra/local/settings.ts', '@aws-sdk/client-s3'],
    ['infra/local/server.ts', 'infra/aws/bundling/entries.ts'],
  ],
  'aws-in-adapters': [['shared/library/uploads/uploads.ts', '@aws-sdk/client-s3']],
}

interface Report {
  summary: { violations: { rule: { name: string }; from: string; to: string }[]; ruleSetUsed: { forbidden: { name: string }[] } }
}

/** Makes files that import each other, and tells what is wrong with them. */
async function cruise(imports: readonly Import[]): Promise<Report> {
  await using workspace = await Workspace.open('dependencies')
  const files = new Map<string, string>([['node_modules/@aws-sdk/client-s3/index.js', 'export {}\n']])
  const isFile = (target: string) => /^(functions|shared|infra)\//.test(target)
  for (const [from, to] of imports) {
    for (const target of [from, to]) if (isFile(target) && !target.endsWith('/missing.ts')) files.set(target, 'export type A = 1\n')
  }
  for (const [from, to, of] of imports) {
    const specifier = isFile(to) ? `./${posix.relative(posix.dirname(from), to)}` : to
    files.set(from, `import ${of === 'values' ? '' : 'type '}{ A } from '${specifier}'\n${files.get(from)}`)
  }
  for (const [path, text] of files) {
    await mkdir(dirname(workspace.path(path)), { recursive: true })
    await writeFile(workspace.path(path), text)
  }
  const command = [cruiser, '--config', config, '--output-type', 'json', 'functions', 'shared', 'infra']
  const { promise, resolve: done } = Promise.withResolvers<string>()
  execFile(process.execPath, command, { cwd: workspace.directory, maxBuffer: 2 ** 26 }, (_, output) => done(output))
  return JSON.parse(await promise)
}

describe('the rules of who may import whom', () => {
  it('find every import that breaks one, though of types only, and have an example here, each of them', async () => {
    const { violations, ruleSetUsed } = (await cruise(Object.values(forbidden).flat())).summary
    const found = Map.groupBy(violations, ({ rule }) => rule.name)
    const rules = ruleSetUsed.forbidden.map(({ name }) => name).filter((name) => name in forbidden || !name.startsWith('floor-'))
    for (const each of [[...found.keys()], rules]) assert.deepEqual(each.toSorted(), Object.keys(forbidden).toSorted())
    for (const [rule, imports] of Object.entries(forbidden)) {
      // A cycle is told once, or once for each folder.
      if (rule.startsWith('no-cycle')) continue
      const broken = found.get(rule)!.map(({ from }) => from)
      assert.deepEqual(broken.toSorted(), imports.map(([from]) => from).toSorted(), rule)
    }
  })
})
