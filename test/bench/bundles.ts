import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { build } from 'esbuild'
import { endpoints } from '../../functions/endpoints.ts'
import { events } from '../../functions/events.ts'
import { bundle } from '../../infra/bundling.ts'
import { entryModules } from '../../infra/bundling-plugins.ts'
import { type Entry, entriesOf } from '../../infra/entries.ts'
import { ministack } from '../support/aws/ministack.ts'
import type { Row } from './report.ts'

const projectRoot = dirname(dirname(import.meta.dirname))
const measured = 'get-folder'

/**
 * Size of every function's bundle, and how long a function that only uses the table takes from the start of `node` to its first answer
 * over a DynamoDB emulator: its bundle, against the same handler with the SDK, and with all packages, left in node_modules.
 * @param runs cold starts of each kind, alternating; medians are compared
 */
export async function run({ runs = 15 } = {}): Promise<Row[]> {
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  // Inside of the project, because the SDK that is left outside of a bundle is looked for from there.
  const folder = await mkdtemp(join(projectRoot, 'dist/bench-'))
  try {
    const entries = entriesOf({ endpoints, events }, projectRoot, { brand: 'SVC' })
    const started = performance.now()
    const bundles = await bundle(entries, projectRoot, join(folder, 'bundled'))
    const seconds = (performance.now() - started) / 1000
    const sizes = await Promise.all(entries.map(({ name }) => sizeRow(name, join(bundles.directory(name), 'index.mjs'))))
    const subject = entries.filter(({ name }) => name === measured)
    await bundleWithout(['@aws-sdk/*', '@smithy/*'], subject, join(folder, 'without-sdk'))
    await bundleWithout(['@*', 'zod'], subject, join(folder, 'without-packages'))
    const starts = await coldStarts(folder, runs)
    return [{ what: `bundling ${entries.length} functions`, value: seconds, unit: 's', atMost: 60 }, ...sizes, ...starts]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function sizeRow(name: string, path: string): Promise<Row> {
  const value = (await stat(path)).size / 1000
  const tableOnly = Object.keys((endpoints as Record<string, { uses: object }>)[name]?.uses ?? {}).join() === 'table'
  return { what: `bundle of ${name}`, value, unit: 'KB', ...(tableOnly ? { atMost: 450 } : {}) }
}

async function bundleWithout(external: string[], entries: readonly Entry[], outdir: string): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    entryPoints: entries.map(({ name }) => ({ in: `function:${name}`, out: `${name}/index` })),
    plugins: [entryModules(entries, projectRoot)],
    external,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
  })
}

const settings = { brand: 'SVC', vendor: 'vendor', tokenLifetimeDays: 30, maxUploadBytes: 1, playerUrl: 'http://x', cdnUrl: 'http://x' }

/** Asks for a folder with a token that isn't known: one consistent read of the table, then a 401. */
const firstAnswer = `
  const { handler } = await import(process.argv[2])
  const headers = { Authorization: 'SVC-SIMPLE-TOKEN Token=' + 'x'.repeat(43) }
  const requestContext = { requestId: 'bench', identity: { sourceIp: '127.0.0.1' } }
  const { statusCode, body } = await handler({ httpMethod: 'GET', path: '/folder/1', pathParameters: { id: '1' }, headers, requestContext }, {})
  if (statusCode !== 401) throw new Error(body)
  process.exit(0)`

/** @param folder holds the three variants of the function */
async function coldStarts(folder: string, runs: number): Promise<Row[]> {
  const engine = await ministack.start()
  const script = join(folder, 'first-answer.mjs')
  const { AWS_ENDPOINT_URL } = engine.environment
  const client = new DynamoDBClient({
    endpoint: AWS_ENDPOINT_URL!,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  try {
    await writeFile(script, firstAnswer)
    await client.send(new CreateTableCommand(emptyTable))
    const env = { ...process.env, ...engine.environment, TABLE_NAME: emptyTable.TableName, SETTINGS: JSON.stringify(settings) }
    const times = { bundled: [] as number[], 'without-sdk': [] as number[], 'without-packages': [] as number[] }
    for (let n = 0; n < runs; n++) {
      for (const [variant, each] of Object.entries(times)) each.push(await coldStart(script, join(folder, variant, measured), env))
    }
    const bundled = median(times.bundled)
    const [sdk, packages] = [median(times['without-sdk']), median(times['without-packages'])]
    return [
      { what: `first answer of ${measured}, bundled`, value: bundled, unit: 'ms' },
      { what: `first answer of ${measured}, SDK in node_modules`, value: sdk, unit: 'ms' },
      { what: `first answer of ${measured}, all packages in node_modules`, value: packages, unit: 'ms' },
      { what: 'bundled to SDK in node_modules', value: bundled / sdk, unit: 'ratio', atMost: 0.55 },
      { what: 'bundled to all packages in node_modules', value: bundled / packages, unit: 'ratio' },
    ]
  } finally {
    client.destroy()
    await engine.stop()
  }
}

const emptyTable = {
  TableName: 'bench',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
} as const satisfies ConstructorParameters<typeof CreateTableCommand>[0]

/** Milliseconds from the start of `node` to its end right after the first answer. */
async function coldStart(script: string, directory: string, env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [script, join(directory, 'index.mjs')], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the first answer of ${directory} failed`)
  return performance.now() - started
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
