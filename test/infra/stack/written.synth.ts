import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { adoptedSettings, type Json, synthesize } from './synthesized.ts'
import { MOST_RESOURCES } from './template-checks.ts'

const STACK = 'media-library'
/** CloudFormation takes 1,000,000. */
const MOST_BYTES = 900_000

describe('the template that `npm run synth` writes', () => {
  for (const [name, settings] of Object.entries({ 'the settings of cdk.json': {}, 'data that is adopted': adoptedSettings })) {
    test(`with ${name} has room, and differs in nothing but the packages from the one that is tested`, async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'synth-'))
      const context = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', 'synth', '--', '--output', folder.path, ...context])
      assert.doesNotMatch(stdout + stderr, /WARNING/)
      const written = await readFile(join(folder.path, `${STACK}.template.json`))
      assert.ok(written.length < MOST_BYTES, `${written.length} bytes`)
      const template: Json = JSON.parse(written.toString())
      assert.ok(Object.keys(template.Resources).length < MOST_RESOURCES, `${Object.keys(template.Resources).length} resources`)
      assert.deepEqual(withoutPackages(template), withoutPackages(synthesize({ endpoints, events }, settings).template))
    })
  }
})

/** A template without what goes with the packages of functions: tests of templates put a line of code in their place. */
function withoutPackages({ Rules: _, Parameters: __, ...template }: Json): Json {
  for (const { Type, Properties } of Object.values<Json>(template.Resources)) if (Type === 'AWS::Lambda::Function') delete Properties.Code
  return template
}
