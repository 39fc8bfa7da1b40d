import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { documentName, entriesOf } from '../../../../infra/aws/bundling/entries.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { typeErrors } from '../../../support/type-errors.ts'

const projectRoot = join(import.meta.dirname, '../../../..')

/** An entry as TypeScript: the template gives every variable that it reads, and it gives a handler only what that declared. */
function typed(source: string): string {
  return source
    .replaceAll("from './", "from '../../")
    .replaceAll(/process\.env\.(?!AWS_ENDPOINT_URL)(\w+)/g, 'process.env.$1!')
    .replace(/^(export const handler = \w+\((?:subject|'[\w-]+', kinds), )(\{.*?\})(, \w+)?\)$/m, '$1$2 as never$3)')
}

describe('types of generated entries, which no editor ever sees', () => {
  test('every adapter is made with the options that it takes', async () => {
    const entries = entriesOf({ endpoints, events }, projectRoot, { ...defaultSettings, adoptTable: 'kept' }).filter(
      ({ name }) => name !== documentName,
    )
    assert.equal(await typeErrors(Object.fromEntries(entries.map(({ name, source }) => [name, typed(source)]))), '')
  })

  test('a wrong option is found', async () => {
    const wrong =
      "import { dynamoTable } from './shared/backends/table/dynamodb.ts'\nexport const table = dynamoTable({ name: process.env.TABLE_NAME })\n"
    assert.match(await typeErrors({ wrong: typed(wrong) }), /^wrong\.ts.*error TS2353/)
  })
})
