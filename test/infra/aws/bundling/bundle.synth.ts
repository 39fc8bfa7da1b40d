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
import { endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import { type Bundles, bundle } from '../../../../infra/aws/bundling/bundle.ts'
import { packageConsole } from '../../../../infra/aws/bundling/console-package.ts'
import { entriesOf } from '../../../../infra/aws/bundling/entries.ts'
import type { Endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { CONSOLE_FILES } from '../../../../shared/library/links/public-keys.ts'
import { defaultSettings } from '../../../../shared/settings.ts'
import { ModuleProcess } from '../../../../shared/tools/processes/module-process.ts'
import type { ProbeAnswer, ProbeTask } from '../../../../shared/tools/video/probe.ts'
import { heic, mp4, quadrants } from '../../../support/pictures/index.ts'
import { contentsOf } from './bundle-budgets.ts'

const projectRoot = join(import.meta.dirname, '../../../..')
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

  test('the same sources make the same bundles, byte for byte, so that nothing is deployed again without need', async () => {
    const again = await bundle(entries, projectRoot, join(folder, 'again'))
    for (const { name } of entries) {
      const read = ({ directory }: Bundles) => readFile(join(directory(name), 'index.mjs'))
      assert.ok((await read(bundles)).equals(await read(again)), name)
    }
  })

  test.each([
    ['fallback', ''],
    ['render-image', ''],
    ['get-folder', 'dynamodb'],
    ['import-media', 'dynamodb lambda s3'],
  ])('%s holds the AWS clients of what it uses, and no others', (name, clients) => {
    const held = [...packagesIn(name)].filter((each) => each.startsWith('@aws-sdk/client-')).sort()
    assert.equal(held.map((each) => each.slice('@aws-sdk/client-'.length)).join(' '), clients)
  })

  test('none holds what the SDK has for credentials of profiles, single sign-on and instance metadata', () => {
    for (const { name } of entries) {
      const held = [...packagesIn(name)].filter((each) => /^@aws-sdk\/credential-provider-(?!env$)/.test(each))
      assert.deepEqual(held, [], name)
    }
  })

  test('none holds what only a single machine needs', async () => {
    // What searches has the search engine of SQLite, which runs in the function.
    const searching = Object.entries<Endpoint>(endpoints).flatMap(([name, { uses, answeredBy = name }]) =>
      uses.search || uses.stock === 'search' ? [answeredBy] : [],
    )
    for (const { name } of entries.filter(({ name }) => !searching.includes(name) && name !== 'long-jobs')) {
      const text = await readFile(join(bundles.directory(name), 'index.mjs'), 'utf8')
      assert.ok(!text.includes('node:sqlite'), name)
    }
  })

  test('what tools start as a thread or process lies beside the function that uses them', async () => {
    const modules = async (name: string) => (await readdir(bundles.directory(name))).filter((file) => !file.endsWith('.map')).sort()
    assert.deepEqual(await modules('import-media'), ['index.mjs', 'magick-worker.mjs', 'perl-wasm.mjs', 'probe-worker.mjs'])
    assert.deepEqual(await modules('upload-profile-image'), ['index.mjs', 'profile-image-worker.mjs'])
    assert.deepEqual(await modules('get-folder'), ['index.mjs'])
  })

  test('the decoder of HEIC works as it is bundled, with its package beside it', async () => {
    const files = { path: join(folder, 'photo.heic'), format: 'Heic', into: join(folder, 'photo.tiff') }
    await writeFile(files.path, heic())
    const directory = bundles.directory('import-media')
    await symlink(join(projectRoot, 'node_modules'), join(directory, 'node_modules'))
    await once(new Worker(join(directory, 'magick-worker.mjs'), { workerData: files }), 'exit')
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

  test('a function whose bundle needs tools says so, else its package would lack them', () => {
    for (const { name, tools } of entries) {
      const [, output] = Object.entries(bundles.metafile.outputs).find(([path]) => path.endsWith(`/${name}/index.mjs`))!
      const needs = output.imports.some(({ path }) => path === 'sharp') || 'shared/tools/companions.ts' in output.inputs
      assert.equal(tools.length > 0, needs, name)
    }
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
    const ResourceProperties = { Media: 'media', Public: 'public', Emptied: [], Partition: 'aws', ...urls, FormerCdnUrls: [] }
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
    const event = { httpMethod: 'GET', path: '/nothing', headers: {}, requestContext: { requestId: 'r-1' } }
    const { statusCode, headers } = await handler(event, {})
    assert.deepEqual([statusCode, headers['X-Svc-Request-Id']], [404, 'r-1'])
    const document = await import(join(bundles.directory('api-document'), 'index.mjs'))
    const path = '/openapi.json'
    const { body } = await document.handler({ ...event, resource: path, path, requestContext: { requestId: 'r-1', identity: {} } }, {})
    assert.equal(JSON.parse(body).paths['/folder/{id}'].get.operationId, 'get-folder')
  })
})
