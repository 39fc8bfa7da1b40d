import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { build, type Metafile } from 'esbuild'
import { endpoints } from '../../functions/endpoints.ts'
import { events } from '../../functions/events.ts'
import { bundle } from '../../infra/bundling/bundle.ts'
import { type Entry, entriesOf } from '../../infra/bundling/entries.ts'
import { entryModules } from '../../infra/bundling/plugins.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { contentsOf } from '../infra/bundling/bundle-budgets.ts'
import { dynamoDbLocal } from '../support/aws/dynamodb-local.ts'
import type { Row } from './report.ts'

const projectRoot = dirname(dirname(import.meta.dirname))
const measured = 'get-folder'
/**
 * Size of every function's bundle (and what it consists of), and how long a function that only uses the table takes from the start of `node` to its first answer
 * over DynamoDB Local: its bundle, against the same handler with the SDK, and with all packages, left in node_modules.
 * @param runs cold starts of each kind, alternating; medians are compared
 */
export async function run({ runs = 15 } = {}): Promise<Row[]> {
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  // Inside of the project, because the SDK that is left outside of a bundle is looked for from there.
  const folder = await mkdtemp(join(projectRoot, 'dist/bench-'))
  try {
    const entries = entriesOf({ endpoints, events }, projectRoot, defaultSettings)
    const started = performance.now()
    const bundles = await bundle(entries, projectRoot, join(folder, 'bundled'))
    const seconds = (performance.now() - started) / 1000
    const sizes = entries.map(({ name }) => sizeRow(name, bundles.metafile))
    const subject = entries.filter(({ name }) => name === measured)
    await bundleWithout(['@aws-sdk/*', '@smithy/*'], subject, join(folder, 'without-sdk'))
    await bundleWithout(['@*', 'zod'], subject, join(folder, 'without-packages'))
    const starts = await coldStarts(folder, runs)
    return [{ what: `bundling ${entries.length} functions`, value: seconds, unit: 's', atMost: 60 }, ...sizes, ...starts]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Size against budget, with everything that it is made of: kilobytes by package, the largest first. */
function sizeRow(name: string, metafile: Metafile): Row {
  const { bytes, packages, budget } = contentsOf(name, metafile)
  const parts = [...packages].map(([each, size]) => `${each} ${Math.round(size / 1000)}`)
  return { what: `bundle of ${name}: ${parts.join(', ')}`, value: bytes / 1000, unit: 'KB', atMost: budget() / 1000 }
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
  const { user, system } = process.cpuUsage()
  process.stdout.write('\\n' + (user + system) / 1000, () => process.exit(0))`

/** @param folder holds the three variants of the function */
async function coldStarts(folder: string, runs: number): Promise<Row[]> {
  const engine = await dynamoDbLocal.start()
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
    const starts: Record<Variant, ColdStart[]> = { bundled: [], 'without-sdk': [], 'without-packages': [] }
    for (let n = 0; n < runs; n++) {
      for (const [variant, each] of Object.entries(starts)) each.push(await coldStart(script, join(folder, variant, measured), env))
    }
    return [
      ...startRows(`first answer of ${measured}`, starts, ({ milliseconds }) => milliseconds),
      // What counts where a function has a third of a core, and what other work on this machine disturbs least.
      ...startRows(`processor time until the first answer of ${measured}`, starts, ({ processorMilliseconds }) => processorMilliseconds),
    ]
  } finally {
    client.destroy()
    await engine.stop()
  }
}

type Variant = 'bundled' | 'without-sdk' | 'without-packages'

function startRows(what: string, starts: Record<Variant, ColdStart[]>, measure: (start: ColdStart) => number): Row[] {
  const of = (variant: Variant) => median(starts[variant].map(measure))
  const [bundled, sdk, packages] = [of('bundled'), of('without-sdk'), of('without-packages')]
  return [
    { what: `${what}, bundled`, value: bundled, unit: 'ms' },
    { what: `${what}, SDK in node_modules`, value: sdk, unit: 'ms' },
    { what: `${what}, all packages in node_modules`, value: packages, unit: 'ms' },
    { what: `${what}, bundled to SDK in node_modules`, value: bundled / sdk, unit: 'ratio', atMost: 0.65 },
    { what: `${what}, bundled to all packages in node_modules`, value: bundled / packages, unit: 'ratio' },
  ]
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

interface ColdStart {
  /** From the start of `node` to its first answer. */
  milliseconds: number
  processorMilliseconds: number
}

async function coldStart(script: string, directory: string, env: NodeJS.ProcessEnv): Promise<ColdStart> {
  const started = performance.now()
  const child = spawn(process.execPath, [script, join(directory, 'index.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`the first answer of ${directory} failed`)
  return { milliseconds: performance.now() - started, processorMilliseconds: Number(output.split('\n').at(-1)) }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
