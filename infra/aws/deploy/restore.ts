import { parseArgs } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { need, outputsOf } from '../library/stack.ts'
import { describePlace, findPlace } from '../place.ts'
import { argumentsOf } from './cdk.ts'
import { helpWhereAsked } from './help.ts'
import { adminCommand } from './next-steps.ts'
import { restoreObjects } from './restore-objects.ts'
import { restoreTable } from './restore-table.ts'

/**
 * `npm run restore-stack -- --at TIME [--table NAME]`: restores the table of a stack under a new name, and the files that were deleted since. It changes
 * nothing of the stack, and says which commands take what was restored into use. Other arguments are those of `deploy`.
 */

const USAGE = 'usage: npm run restore-stack -- --at 2026-05-17T08:00:00Z [--table NAME] [-c stackName=NAME]'
const options = { at: { type: 'string' }, table: { type: 'string' } } as const

helpWhereAsked(
  process.argv,
  `${USAGE}

  --at TIME                as of when, with the time zone
  --table NAME             name of the restored table`,
)
try {
  const { at, table } = optionsOf(process.argv.slice(2))
  const { stackName, profile } = argumentsOf(process.argv.slice(2), { name: 'npm run restore-stack', options })
  const place = await findPlace(profile)
  const outputs = await outputsOf(stackName)
  const source = need(outputs, 'TableName', stackName)
  const target =
    table ??
    `${stackName}-${at
      .toISOString()
      .replaceAll(/[^0-9]/g, '')
      .slice(0, 12)}`
  console.error(`Restoring the table ${source} of the stack ${stackName} in ${describePlace(place)} as ${target}: takes minutes to hours …`)
  await restoreTable(new DynamoDBClient(), { source, target, at })
  console.error('bringing deleted files back …')
  const { restored, replaced } = await restoreObjects(new S3Client(), need(outputs, 'MediaBucket', stackName), at)
  console.log(`Table: ${target}. Files that had been deleted and are there again: ${restored}.`)
  for (const key of replaced) console.log(`replaced since, and left as it is: ${key}`)
  console.log(`To take it into use, and to see what it lacks:
  npm run deploy -- -c stackName=${stackName} -c adoptTable=${target}
  ${adminCommand(stackName, place)} check --deep`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

/** @throws Error in a sentence */
function optionsOf(args: string[]): { at: Date; table: string | undefined } {
  const { values } = parseArgs({ args, options, strict: false, allowPositionals: true })
  const at = new Date(String(values.at))
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(String(values.at)) || Number.isNaN(at.getTime())) {
    throw new Error(`Say as of when, with the time zone.\n${USAGE}`)
  }
  if (at.getTime() > Date.now()) throw new Error(`${at.toISOString()} is in the future.`)
  return { at, table: values.table === undefined ? undefined : String(values.table) }
}
