import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { writtenTemplates } from '../../../../infra/aws/deploy/written-templates.ts'
import { wholeTemplate } from '../../../support/whole-template.ts'
import { beyondWalls } from './room.ts'
import { adoptedSettings, type Json, synthesize } from './synthesized.ts'

const STACK = 'media-library'

describe('the templates that `npm run synth` writes', () => {
  for (const [name, settings] of Object.entries({ 'the settings of cdk.json': {}, 'data that is adopted': adoptedSettings })) {
    test(`with ${name} have room, and differ in nothing but the packages from what is tested`, async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'synth-'))
      const context = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', 'synth', '--', '--output', folder.path, ...context])
      assert.doesNotMatch(stdout + stderr, /WARNING/)
      const templates = writtenTemplates(folder.path, STACK)
      assert.ok(templates.length > 1)
      assert.deepEqual(beyondWalls(templates), [])
      assert.deepEqual(
        withoutPackages(wholeTemplate(folder.path, STACK)),
        withoutPackages(synthesize({ endpoints, events }, settings).template),
      )
    })
  }
})

/** A template without what goes with the packages of functions: tests of templates put a line of code in their place. */
function withoutPackages({ Rules: _, Parameters: __, ...template }: Json): Json {
  for (const { Type, Properties } of Object.values<Json>(template.Resources)) if (Type === 'AWS::Lambda::Function') delete Properties.Code
  return template
}
