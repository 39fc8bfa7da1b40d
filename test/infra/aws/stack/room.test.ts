import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { writtenTemplates } from '../../../../infra/aws/deploy/written-templates.ts'
import { endpointFunctionName } from '../../../../infra/aws/stack/endpoint-share.ts'
import type { Endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { wholeTemplate } from '../../../support/whole-template.ts'
import { beyondWalls } from './room.ts'
import { type Json, withStack } from './synthesized.ts'
import { templateProblems } from './template-checks.ts'

/** As long as it may be. */
const stackName = 'library-'.padEnd(28, 'x')
/** So long may the key of an endpoint be: Lambda takes names of 64 characters. */
const LONGEST_KEY = 33

/** Endpoints that use what those of today do, all below one path. */
function others(count: number): Record<string, Endpoint> {
  const known = Object.values<Endpoint>(endpoints)
  const other = (n: number): Endpoint => {
    const { answeredBy: _, ...like } = known[n % known.length]!
    return { ...like, route: () => `GET /other/way-${n}` }
  }
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`other-way-${n}-`.padEnd(LONGEST_KEY, 'x'), other(n)]))
}

describe('a stack with as long a name as it may have', () => {
  let packages: string
  beforeAll(() => {
    packages = mkdtempSync(join(tmpdir(), 'packages-'))
    writeFileSync(join(packages, 'index.mjs'), 'export const handler = 0')
  })
  afterAll(() => rmSync(packages, { recursive: true }))

  /** The templates as they are written, and as one. */
  const written = (more: Record<string, Endpoint>): { templates: ReturnType<typeof writtenTemplates>; whole: Json } =>
    withStack(
      { tables: { endpoints: { ...endpoints, ...more }, events }, context: { stackName }, code: () => Code.fromAsset(packages) },
      (stack, folder) => {
        Template.fromStack(stack)
        return { templates: writtenTemplates(folder, stackName), whole: wholeTemplate(folder, stackName) }
      },
    )

  test('has room for 120 endpoints more of one part of the API: in every template, and in the roles of the gateway', () => {
    const { templates, whole } = written(others(120))
    assert.deepEqual(beyondWalls(templates), [])
    assert.deepEqual(templateProblems(whole, { retain: false }), [])
    const made = Object.values<Json>(whole.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function')
    assert.ok(made.length > 120 + Object.keys(endpoints).length, 'they are there')
  })

  test('would have none where a template grew beyond a wall', () => {
    const large = { name: 'library.template.json', bytes: 900_001, template: { Resources: {} } }
    assert.deepEqual(beyondWalls([large]), ['library.template.json has 900001 bytes'])
  })

  test('keeps the name of a function whatever comes or goes', () => {
    assert.equal(endpointFunctionName('media-library', 'get-folder'), 'media-library-1-get-folder')
    assert.equal(endpointFunctionName('media-library', 'sign-in'), 'media-library-0-sign-in')
  })
})
