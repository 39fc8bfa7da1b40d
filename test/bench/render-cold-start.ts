import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { endpoints } from '../../functions/endpoints.ts'
import { events } from '../../functions/events.ts'
import { bundle } from '../../infra/bundling/bundle.ts'
import { type Entry, entriesOf } from '../../infra/bundling/entries.ts'
import { ToolPackages } from '../../infra/bundling/tool-packages.ts'
import { publicKeys } from '../../shared/library/links/public-keys.ts'
import { writeManifest } from '../../shared/library/publishing/manifest.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { MASTER_SIDE, SMALL_MASTER_SIDE } from '../../shared/tools/imaging/sizes.ts'
import { toLinkId } from '../../shared/vocabulary/ids.ts'
import { photo } from '../support/pictures/index.ts'
import type { Row } from './report.ts'
import { median } from './timing.ts'

const projectRoot = dirname(dirname(import.meta.dirname))
const BUCKET = 'links'
const link = { alias: 'demo', linkId: toLinkId('0'.repeat(32)) }
const query = 'width=320&output_format=webp'

/** Prints the processor time so far, in milliseconds, and ends. */
const ending = `
  const { user, system } = process.cpuUsage()
  process.stdout.write(String((user + system) / 1000), () => process.exit(0))`

/** Lambda's own, as far as the function sees it, and a request for one picture. */
const firstPicture = `
  import { PassThrough } from 'node:stream'
  import { buffer } from 'node:stream/consumers'
  globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (output, head) => Object.assign(output, head) } }
  const { handler } = await import(process.argv[2])
  const output = new PassThrough()
  const event = { rawPath: '/${link.alias}/${link.linkId}', rawQueryString: '${query}', headers: {}, requestContext: { requestId: 'bench', http: { method: 'GET' } } }
  const [bytes] = await Promise.all([buffer(output), handler(event, output, {})])
  if (output.statusCode !== 200) throw new Error(bytes.toString())${ending}`

/** The library alone: the original from the disk. */
const firstPictureAlone = `
  import sharp from 'sharp'
  await sharp(process.argv[2]).resize(320).webp({ quality: 80 }).toBuffer()${ending}`

/** The library and S3's client, bundled: the original from the bucket, as any function on Lambda has to get it. */
const firstPictureFromBucket = `
  import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
  import sharp from 'sharp'
  const { Body } = await new S3Client().send(new GetObjectCommand({ Bucket: '${BUCKET}', Key: '${publicKeys.original(link.linkId, 1)}' }))
  await sharp(await Body.transformToByteArray()).resize(320).webp({ quality: 80 }).toBuffer()${ending}`

/**
 * How long the renderer of links takes from the start of `node` to its first picture of a photo of 24 megapixels, its objects coming over
 * HTTP, beside sharp alone with the original on the disk, and with the original from the same place. And what the function's package takes.
 * @param options.runs starts of each, alternating; medians are compared
 */
export async function run({ runs = 15 } = {}): Promise<Row[]> {
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  // Inside of the project, because packages are looked for from there.
  const folder = await mkdtemp(join(projectRoot, 'dist/bench-'))
  const original = await photo(24, 0)
  await using bucket = await bucketServer(await objectsOf(original))
  try {
    const entry = entriesOf({ endpoints, events }, projectRoot, defaultSettings).find(({ name }) => name === 'render-image')!
    const directory = (await bundle([entry], projectRoot, join(folder, 'bundled'))).directory(entry.name)
    const [script, scriptAlone] = [join(folder, 'first-picture.mjs'), join(folder, 'first-picture-alone.mjs')]
    await Promise.all([writeFile(script, firstPicture), writeFile(scriptAlone, firstPictureAlone)])
    const fromBucket: Entry = { name: 'from-bucket', source: firstPictureFromBucket, tools: [] }
    const scriptFromBucket = join((await bundle([fromBucket], projectRoot, join(folder, 'beside'))).directory(fromBucket.name), 'index.mjs')
    const starts: Starts = { ours: [], alone: [], fromBucket: [] }
    for (let n = 0; n < runs; n++) {
      starts.ours.push(await start([script, join(directory, 'index.mjs')], { ...bucket.environment, PUBLIC_BUCKET: BUCKET }))
      starts.alone.push(await start([scriptAlone, original], {}))
      starts.fromBucket.push(await start([scriptFromBucket], bucket.environment))
    }
    return [
      ...startRows('from the start of node to the first picture', starts, ({ milliseconds }) => milliseconds, 1.2),
      // What other work on this machine disturbs least.
      ...startRows('processor time until then', starts, ({ processorMilliseconds }) => processorMilliseconds),
      { what: "the renderer's package, unpacked", value: await packageMegabytes(entry, directory), unit: 'MB', atMost: 40 },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What publication stores for a link that shows the photo, by key. */
async function objectsOf(path: string): Promise<Map<string, Uint8Array>> {
  const { width, height } = await sharp(path).metadata()
  const master = (side: number) => sharp(path).resize(side).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  const original = await readFile(path)
  const facts = { mime: 'image/jpeg', kind: 'image', bytes: original.length, extension: 'jpg', copyright: null } as const
  const manifest = writeManifest({ revision: 1, ...facts, width, height, master: true })
  return new Map([
    [publicKeys.manifest(link), manifest],
    [publicKeys.original(link.linkId, 1), original],
    [publicKeys.master(link.linkId, 1), await master(MASTER_SIDE)],
    [publicKeys.smallMaster(link.linkId, 1), await master(SMALL_MASTER_SIDE)],
  ])
}

/** As much of S3 as reads an object. */
async function bucketServer(objects: ReadonlyMap<string, Uint8Array>) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://bucket')
    const object = objects.get(pathname.slice(`/${BUCKET}/`.length))
    if (!object) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    return response.writeHead(200, { 'content-length': object.length, etag: '"bench"' }).end(object)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    environment: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Start {
  milliseconds: number
  processorMilliseconds: number
}

type Starts = Record<'ours' | 'alone' | 'fromBucket', Start[]>

async function start(command: readonly string[], environment: NodeJS.ProcessEnv): Promise<Start> {
  const started = performance.now()
  const child = spawn(process.execPath, command, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${command[0]} failed`)
  return { milliseconds: performance.now() - started, processorMilliseconds: Number(output) }
}

function startRows(what: string, starts: Starts, measure: (start: Start) => number, atMost?: number): Row[] {
  const of = (which: keyof Starts) => median(starts[which].map(measure))
  const [renderer, alone, fromBucket] = [of('ours'), of('alone'), of('fromBucket')]
  return [
    { what: `${what}, renderer`, value: renderer, unit: 'ms' },
    { what: `${what}, sharp alone`, value: alone, unit: 'ms' },
    { what: `${what}, sharp and S3's client alone`, value: fromBucket, unit: 'ms' },
    { what: `${what}, renderer to sharp alone`, value: renderer / alone, unit: 'ratio', ...(atMost !== undefined && { atMost }) },
    { what: `${what}, renderer to sharp and S3's client alone`, value: renderer / fromBucket, unit: 'ratio' },
  ]
}

/** The bundle with the tools of Lambda's platform beside it, as it is deployed. */
async function packageMegabytes({ tools }: Entry, directory: string): Promise<number> {
  const packages = await ToolPackages.of(projectRoot)
  await packages.fetch()
  await rm(`${directory}/index.mjs.map`, { force: true })
  await packages.copy(tools, directory)
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)))
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0) / 1e6
}
