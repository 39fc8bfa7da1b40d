import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { type Bundles, bundle } from '../../../infra/bundling/bundle.ts'
import { packageConsole } from '../../../infra/bundling/console-package.ts'
import { entriesOf } from '../../../infra/bundling/entries.ts'
import type { Endpoint } from '../../../shared/http/endpoint.ts'
import { CONSOLE_FILES } from '../../../shared/library/links/public-keys.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { ModuleProcess } from '../../../shared/tools/processes/module-process.ts'
import type { ProbeAnswer, ProbeTask } from '../../../shared/tools/video/probe.ts'
import { heic, mp4, quadrants } from '../../support/pictures/index.ts'
import { contentsOf } from './bundle-budgets.ts'

const projectRoot = join(import.meta.dirname, '../../..')
const entries = entriesOf({ endpoints, events }, projectRoot, { ...defaultSettings, adoptTable: 'kept' })
const settings = { brand: 'SVC', vendor: 'vendor', tokenLifetimeDays: 30, maxUploadBytes: 1, playerUrl: 'https://x', cdnUrl: 'https://x' }

/** The environment of a function that takes a server of the test for AWS. */
const environment = (address: string) => ({
  ...{ PATH: process.env.PATH, HOME: process.env.HOME, AWS_ENDPOINT_URL: address, AWS_REGION: 'us-east-1' },
  ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
})

describe('bundles', () => {
  let folder: string
  let bundles: Bundles

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundles-'))
    bundles = await bundle(entries, projectRoot, join(folder, 'the first'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Names of the packages in a function's bundle. */
  const packagesIn = (name: string) => new Set(contentsOf(name, bundles.metafile).packages.keys())

  test('each stays within its budget', () => {
    const larger = entries.flatMap(({ name }) => {
      const { bytes, budget } = contentsOf(name, bundles.metafile)
      return bytes > budget() ? [`${name}: ${bytes} bytes, of ${budget()} that it may have`] : []
    })
    assert.deepEqual(larger, [])
  })

  test('a package more than there was breaks the budget', () => {
    const { outputs } = structuredClone(bundles.metafile)
    const [, output] = Object.entries(outputs).find(([path]) => path.endsWith('/get-folder/index.mjs'))!
    output.bytes += 50_000
    const { bytes, budget } = contentsOf('get-folder', { inputs: {}, outputs })
    assert.ok(bytes > budget())
  })

  test('the same sources make the same bundles, byte for byte, so that nothing is deployed again without need', async () => {
    const again = await bundle(entries, projectRoot, join(folder, 'again'))
    for (const { name } of entries) {
      const read = ({ directory }: Bundles) => readFile(join(directory(name), 'index.mjs'))
      assert.ok((await read(bundles)).equals(await read(again)), name)
    }
  })

  test('hold the AWS clients of what the function uses, and no others', () => {
    const clients = (name: string) => [...packagesIn(name)].filter((each) => each.startsWith('@aws-sdk/client-')).sort()
    assert.deepEqual(clients('fallback'), [])
    assert.deepEqual(clients('render-image'), [])
    assert.deepEqual(clients('get-folder'), ['@aws-sdk/client-dynamodb'])
    assert.deepEqual(clients('start-jobs'), ['@aws-sdk/client-dynamodb', '@aws-sdk/client-lambda'])
    assert.deepEqual(clients('import-media'), ['@aws-sdk/client-dynamodb', '@aws-sdk/client-lambda', '@aws-sdk/client-s3'])
  })

  test('none holds what the SDK has for credentials of profiles, single sign-on and instance metadata', () => {
    for (const { name } of entries) {
      const held = [...packagesIn(name)].filter((each) => each.startsWith('@aws-sdk/credential-provider-'))
      assert.deepEqual(
        held.filter((each) => each !== '@aws-sdk/credential-provider-env'),
        [],
        name,
      )
    }
  })

  test('what a function has no use for costs it no start: one that hashes no passwords has nothing for that', () => {
    const [, { inputs }] = Object.entries(bundles.metafile.outputs).find(([path]) => path.endsWith('/get-folder/index.mjs'))!
    // What remains is that the module imports one of Node's.
    assert.ok((inputs['shared/library/accounts/passwords.ts']?.bytesInOutput ?? 0) < 100)
  })

  test('none holds what only a single machine needs', async () => {
    // What searches has the search engine of SQLite, which runs in the function.
    const searching = Object.entries<Endpoint>(endpoints).flatMap(([name, { uses, answeredBy = name }]) =>
      uses.search || uses.stock === 'search' ? [answeredBy] : [],
    )
    for (const { name } of entries.filter(({ name }) => !searching.includes(name) && name !== 'snapshot-index')) {
      const text = await readFile(join(bundles.directory(name), 'index.mjs'), 'utf8')
      assert.ok(!text.includes('node:sqlite'), name)
    }
  })

  test('what tools start as a thread or process lies beside the function that uses them', async () => {
    const modules = async (name: string) => (await readdir(bundles.directory(name))).filter((file) => !file.endsWith('.map')).sort()
    assert.deepEqual(await modules('import-media'), ['heic-worker.mjs', 'index.mjs', 'perl-wasm.mjs', 'probe-worker.mjs'])
    assert.deepEqual(await modules('upload-profile-image'), ['index.mjs', 'profile-image-worker.mjs'])
    assert.deepEqual(await modules('get-folder'), ['index.mjs'])
  })

  test('the decoder of HEIC works as it is bundled, with its package beside it', async () => {
    const files = { path: join(folder, 'photo.heic'), into: join(folder, 'photo.tiff') }
    await writeFile(files.path, heic())
    const directory = bundles.directory('import-media')
    await symlink(join(projectRoot, 'node_modules'), join(directory, 'node_modules'))
    await once(new Worker(join(directory, 'heic-worker.mjs'), { workerData: files }), 'exit')
    const { width, height } = await sharp(files.into).metadata()
    assert.deepEqual([width, height], [quadrants.width, quadrants.height])
  })

  test('the probe of videos works as it is bundled', async () => {
    const film = join(folder, 'film.mp4')
    await writeFile(film, mp4(['vide', 'soun']))
    const worker = new ModuleProcess<ProbeTask, ProbeAnswer>({
      module: pathToFileURL(join(bundles.directory('import-media'), 'probe-worker.mjs')),
      env: {},
    })
    onTestFinished(() => worker.kill())
    assert.ok('probed' in (await worker.ask({ path: film }, 60_000)))
  })

  test('only who takes a file in a form carries a parser of forms', () => {
    const names = entries.map(({ name }) => name).filter((name) => packagesIn(name).has('@fastify/busboy'))
    assert.deepEqual(names, ['upload-profile-image'])
  })

  test('a function whose bundle needs tools says so, else its package would lack them', () => {
    for (const { name, tools } of entries) {
      const [, output] = Object.entries(bundles.metafile.outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`))!
      const needs = output.imports.some(({ path }) => path === 'sharp') || 'shared/tools/companions.ts' in output.inputs
      assert.equal(tools.length > 0, needs, name)
    }
  })

  test('one that answers does not load undici, which Node has for what imports all of its http module', async () => {
    const table = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
    await once(table.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void table.close())
    const script = `
      const before = new Set(process.moduleLoadList)
      const { handler } = await import(${JSON.stringify(join(bundles.directory('get-folder'), 'index.mjs'))})
      const headers = { Authorization: 'SVC-SIMPLE-TOKEN Token=' + 'x'.repeat(43) }
      const requestContext = { requestId: 'r-1', identity: { sourceIp: '127.0.0.1' } }
      const answer = await handler({ httpMethod: 'GET', path: '/folder/1', pathParameters: { id: '1' }, headers, requestContext }, {})
      const loaded = process.moduleLoadList.filter((name) => !before.has(name) && /undici/.test(name))
      process.stdout.write('\\n' + JSON.stringify([answer.statusCode, ...loaded]), () => process.exit())`
    const { port } = table.address() as AddressInfo
    const env = { ...environment(`http://127.0.0.1:${port}`), SETTINGS: JSON.stringify(settings), TABLE_NAME: 'table' }
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
    // No such token.
    assert.deepEqual(JSON.parse(stdout.split('\n').at(-1)!), [401])
  })

  test('the one that fills buckets finds the console in its package', async () => {
    await packageConsole(bundles)
    const stored: string[] = []
    const answers: string[] = []
    const cloud = createServer(async (request, response) => {
      const body = await text(request)
      if (request.url === '/answer') answers.push(JSON.parse(body).Status)
      else stored.push(request.url!.split('?')[0]!)
      response.end()
    })
    await once(cloud.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void cloud.close())
    const address = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`
    const urls = { CdnUrl: 'https://cdn.example', PlayerUrl: 'https://player.example' }
    const ResourceProperties = { Media: 'media', Public: 'public', Emptied: [], Partition: 'aws', ...urls }
    const event = { RequestType: 'Create', ResponseURL: `${address}/answer`, ResourceProperties }
    const script = `const { handler } = await import(${JSON.stringify(join(bundles.directory('prepare-buckets'), 'index.mjs'))})
      await handler(${JSON.stringify(event)})`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: environment(address) })
    assert.deepEqual(answers, ['SUCCESS'])
    assert.equal(stored.at(-1), `/public/${CONSOLE_FILES}index.html`)
  })

  test('one answers as a Lambda function', async () => {
    vi.stubEnv('SETTINGS', JSON.stringify(settings))
    onTestFinished(() => void vi.unstubAllEnvs())
    const { handler } = await import(join(bundles.directory('fallback'), 'index.mjs'))
    const event = { httpMethod: 'GET', path: '/nothing', headers: { Origin: 'https://app.example' }, requestContext: { requestId: 'r-1' } }
    const answer = await handler(event, {})
    assert.equal(answer.statusCode, 404)
    assert.equal(answer.headers['X-Svc-Request-Id'], 'r-1')
    assert.equal(answer.headers['Access-Control-Allow-Origin'], 'https://app.example')
    const document = await import(join(bundles.directory('api-document'), 'index.mjs'))
    const { paths } = JSON.parse(
      (
        await document.handler(
          { ...event, resource: '/openapi.json', path: '/openapi.json', requestContext: { ...event.requestContext, identity: {} } },
          {},
        )
      ).body,
    )
    assert.equal(paths['/folder/{id}'].get.operationId, 'get-folder')
    const preflight = await handler({ ...event, httpMethod: 'OPTIONS' }, {})
    assert.equal(preflight.statusCode, 204)
  })
})
