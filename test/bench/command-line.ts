import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { withToken } from '../../infra/clients/client/client.ts'
import { packClient } from '../../infra/clients/client/pack.ts'
import { importsIn } from './imports.ts'
import { peakBytes, untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { upload } from './upload-order.ts'

const exec = promisify(execFile)

/** Files that are sent at a time, by the command line and by the loop beside it. */
const PARALLEL = 8
/** Files in each folder of a tree on the disk. */
const FOLDER_SIZE = 1_000

/**
 * The command line beside the same work by as little code as possible, which runs half before and half after it: many files beside a loop that
 * posts forms, a large one beside curl. And what it costs when nothing is to do.
 */
export async function run({ files = 10_000, kilobytes = 200, megabytes = 3_072 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using disk = await temporaryData()
  await exec('tar', ['xf', await packClient(disk.directory), '-C', disk.directory])
  await using service = await startServiceProcess(data.directory)
  const authorization = await service.signIn()
  const bench = new Bench(service, authorization, disk.directory)
  using imports = importsIn(data.directory)
  const settled = async (ids: number[]) => {
    await imports.untilFinished(ids)
    await untilIdle(service.pid)
  }
  const rows: Row[] = []

  const tree = join(disk.directory, 'tree')
  const bytes = kilobytes * 1000
  await makeTree(tree, files, randomBytes(bytes))
  const loop = async () => {
    const to = { baseUrl: service.baseUrl, authorization, folderId: await bench.folder() }
    const uploaded = await upload({ to, sources: [{ bytes }], parallel: PARALLEL, until: { uploads: files / 2 } })
    await settled(uploaded.mediaIds)
    return uploaded.seconds
  }
  const before = await loop()
  const target = String(await bench.folder())
  const uploading = await bench.run('upload', `${tree}/`, '--to', target, '--transfers', String(PARALLEL))
  await settled(uploading.ids)
  const bare = before + (await loop())
  rows.push(
    { what: `${files} files of ${kilobytes} KB by a bare loop, ${PARALLEL} at a time`, value: bare, unit: 's' },
    { what: 'the same by the command line', value: uploading.seconds, unit: 's' },
    { what: 'its throughput, of that of the loop', value: bare / uploading.seconds, unit: 'x', atLeast: 0.95 },
    { what: 'its most memory', value: uploading.bytes / 1e6, unit: 'MB', atMost: 150 },
    {
      what: `a second run over these ${files} files`,
      value: (await bench.run('upload', `${tree}/`, '--to', target)).seconds,
      unit: 's',
      atMost: 3,
    },
  )
  await rm(tree, { recursive: true })

  const large = join(disk.directory, 'large.bin')
  await makeLarge(large, megabytes)
  const curl = async () => {
    const posting = await bench.curl(large)
    await settled(posting.ids)
    return posting.seconds
  }
  const curlBefore = await curl()
  const sending = await bench.run('upload', large, '--to', String(await bench.folder()))
  await settled(sending.ids)
  const curlSeconds = (curlBefore + (await curl())) / 2
  rows.push(
    { what: `a file of ${megabytes} MiB by curl`, value: curlSeconds, unit: 's' },
    { what: 'the same by the command line', value: sending.seconds, unit: 's' },
    { what: 'its throughput, of that of curl', value: curlSeconds / sending.seconds, unit: 'x', atLeast: 0.95 },
    { what: 'its most memory', value: sending.bytes / 1e6, unit: 'MB', atMost: 150 },
  )
  return rows
}

class Bench {
  readonly #environment
  readonly #directory: string
  readonly #library

  constructor({ baseUrl: url }: ServiceProcess, authorization: string, directory: string) {
    const [, brand = '', token = ''] = /^(.*)-SIMPLE-TOKEN Token=(.*)$/.exec(authorization)!
    this.#environment = { MEDIA_LIBRARY_URL: url, MEDIA_LIBRARY_TOKEN: token, MEDIA_LIBRARY_BRAND: brand }
    this.#directory = directory
    this.#library = withToken({ url, brand }, token)
  }

  /** A new folder of the library. */
  async folder(): Promise<number> {
    return (await this.#library.post('/folder', { body: { name: 'Measured' } })).id
  }

  /**
   * Runs the command line as it comes out of its package.
   * @returns how long it took, the most memory that it had, and ids of what it uploaded
   * @throws Error when it ends with another code than 0
   */
  async run(...args: string[]) {
    const started = performance.now()
    const child = spawn(process.execPath, [join(this.#directory, 'package/cli.js'), ...args, '--json'], {
      env: { PATH: process.env.PATH, HOME: this.#directory, ...this.#environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let bytes = 0
    const watching = setInterval(() => {
      bytes = Math.max(bytes, peakBytes(child.pid!))
    }, 20)
    const ids: number[] = []
    const closed = once(child, 'close')
    for await (const line of createInterface(child.stdout)) if (line.startsWith('{"outcome":"uploaded"')) ids.push(JSON.parse(line).id)
    const [code] = await closed
    clearInterval(watching)
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
    return { seconds: (performance.now() - started) / 1000, bytes, ids }
  }

  /** Uploads a file by a form, as somebody does who has curl alone. */
  async curl(path: string): Promise<{ seconds: number; ids: number[] }> {
    const { action, fields } = await this.#library.post('/upload/register', { body: { folder: await this.folder() } })
    const form = fields.slice(0, -1).flatMap(({ name, value }) => ['--form-string', `${name}=${value}`])
    const started = performance.now()
    const { stdout } = await exec('curl', ['--silent', '--show-error', '--fail', '--location', ...form, '--form', `file=@${path}`, action])
    return { seconds: (performance.now() - started) / 1000, ids: [JSON.parse(stdout).media_id] }
  }
}

/** Makes files that all differ, in folders of a thousand. */
async function makeTree(root: string, files: number, content: Buffer): Promise<void> {
  for (let folder = 0; folder * FOLDER_SIZE < files; folder++) {
    const path = join(root, String(folder))
    await mkdir(path, { recursive: true })
    for (let n = folder * FOLDER_SIZE; n < Math.min(files, (folder + 1) * FOLDER_SIZE); n++) {
      content.writeUInt32LE(n)
      await writeFile(join(path, `${n}.bin`), content)
    }
  }
}

async function makeLarge(path: string, megabytes: number): Promise<void> {
  await using file = await open(path, 'w')
  const block = randomBytes(2 ** 20)
  for (let n = 0; n < megabytes; n++) {
    block.writeUInt32LE(n)
    await file.write(block)
  }
}
