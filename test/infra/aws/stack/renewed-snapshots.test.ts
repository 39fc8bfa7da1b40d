import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { INDEX_FORMAT } from '../../../../shared/backends/search/index-file.ts'
import { namedFunctions } from '../../../../shared/runtime/consumer.ts'
import { jobGroups } from '../../../../shared/runtime/job-groups.ts'
import { type Json, listOf, madeBefore, pointsAt, synthesize } from './synthesized.ts'

const stack = synthesize({ endpoints, events })
const [renewed] = stack.ofType('Custom::Snapshots')

/** Ids of functions whose role may do this below `search/` of the media bucket. */
function functionsThatMay(action: string): string[] {
  const roles = stack.ofType('AWS::IAM::Role').filter(({ properties }) =>
    listOf(properties.Policies)
      .flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
      .some(({ Action, Resource }: Json) => listOf(Action).includes(action) && JSON.stringify(Resource).includes('/search/*')),
  )
  const ids = new Set(roles.map(({ id }) => id))
  return stack
    .ofType('AWS::Lambda::Function')
    .filter(({ properties }) => ids.has(pointsAt(properties.Role)!))
    .map(({ id }) => id)
}

describe('an update with another format of search indexes', () => {
  const group = jobGroups(namedFunctions(events)).find(({ kinds }) => kinds.some(({ uses }) => uses.indexWriter))
  const writer = stack.ofType('AWS::Lambda::Function').find(({ properties }) => properties.FunctionName.endsWith(`-${group?.name}`))
  const readers = functionsThatMay('s3:GetObject').filter((id) => id !== writer?.id)

  test('updates what makes snapshots, then waits until they are made, then updates what searches', () => {
    assert.equal(renewed?.properties.Format, INDEX_FORMAT)
    assert.ok(writer)
    assert.ok(readers.length >= 5, readers.join(' '))
    const first = madeBefore(stack, renewed!.id)
    assert.ok(first.has(writer.id))
    assert.ok([...first].some((id) => /^startjobsFunction/.test(id)))
    for (const id of readers) {
      assert.ok(!first.has(id), `${id} comes before the snapshots that it reads`)
      assert.ok(madeBefore(stack, id).has(renewed!.id), `${id} does not wait for the snapshots that it reads`)
    }
  })

  test('waits for the three runs of its function that Lambda makes', () => {
    const asking = stack.template.Resources[pointsAt(renewed!.properties.ServiceToken)!]
    assert.equal(asking.Properties.Timeout, 900)
    assert.ok(Number(renewed!.properties.ServiceTimeout) > 3 * 900)
    assert.ok(Number(renewed!.properties.ServiceTimeout) <= 3_600)
  })
})
