import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { documentName, type Entry, entriesOf } from '../../../infra/bundling/entries.ts'

const projectRoot = join(import.meta.dirname, '../../..')

/** What the compiler says of generated entries, which no editor ever sees: an adapter made with a wrong option would only fail on AWS. */
async function typeErrors(entries: readonly Pick<Entry, 'name' | 'source'>[]): Promise<string> {
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(projectRoot, 'dist/entries-'))
  try {
    await Promise.all(entries.map(({ name, source }) => writeFile(join(folder, `${name}.ts`), typed(source))))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }))
    const tsc = join(projectRoot, 'node_modules/.bin/tsc')
    return await promisify(execFile)(tsc, ['--noEmit', '-p', folder, '--pretty', 'false']).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An entry as TypeScript: the template gives every variable that it reads, and it gives a handler only what that declared. */
function typed(source: string): string {
  return source
    .replaceAll("from './", "from '../../")
    .replaceAll(/process\.env\.(?!AWS_ENDPOINT_URL)(\w+)/g, 'process.env.$1!')
    .replace(/^(export const handler = \w+\(subject, )(\{.*?\})(, \w+)?\)$/m, '$1$2 as never$3)')
}

suite('types of generated entries', () => {
  test('every adapter is made with the options that it takes', async () => {
    const entries = entriesOf({ endpoints, events }, projectRoot, { brand: 'SVC' }).filter(({ name }) => name !== documentName)
    assert.equal(await typeErrors(entries), '')
  })

  test('a wrong option is found', async () => {
    const source =
      "import { dynamoTable } from './shared/backends/table/dynamodb.ts'\nexport const table = dynamoTable({ name: process.env.TABLE_NAME })\n"
    assert.match(await typeErrors([{ name: 'wrong', source }]), /wrong\.ts.*error TS2353/)
  })
})
