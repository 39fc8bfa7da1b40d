import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { photo } from '../support/pictures/index.ts'
import { cdnFolder, importedFiles } from './published-files.ts'
import type { Row } from './report.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted } from './timing.ts'

/** How often a link is looked at, and how long at most, in milliseconds. */
const LOOK = 10
const MAX_WAIT_MS = 60_000

/**
 * How long the change of a CDN folder takes until whoever has the link sees it, from the request: files copied into it, replaced,
 * removed, one after the other.
 * @param options.files how many of each
 */
export async function run({ files = 50 } = {}): Promise<Row[]> {
  const [first, second] = [await photo(1, 0), await photo(1, 1)]
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const ids = await importedFiles(service, [...Array<string>(files).fill(first), ...Array<string>(files).fill(second)])
  const [old, replacements] = [ids.slice(0, files), ids.slice(files)]
  const [firstBytes, secondBytes] = [await readFile(first), await readFile(second)]
  const links = await linksOf(service)

  const alone = await eachInTurn(old, (id) => links.publish(id, firstBytes))
  const replaced = await eachInTurn(old, (id, n) => links.replace(id, replacements[n]!, secondBytes))
  const removed = await eachInTurn(replacements, links.remove)
  return [
    ...rowsOf(`published, ${files} files one after the other`, alone, 2_000),
    ...rowsOf(`replaced, ${files} links one after the other`, replaced),
    ...rowsOf(`gone, ${files} links one after the other`, removed),
  ]
}

/** Changes of the demo's CDN folder. Each tells how many milliseconds passed from its request until its link answered accordingly. */
async function linksOf(service: ServiceProcess) {
  const client = await service.client()
  const company = service.demo.company_id
  const folder = await cdnFolder(service)

  async function until(isTrue: () => Promise<boolean>): Promise<number> {
    const started = performance.now()
    while (!(await isTrue())) {
      if (performance.now() - started > MAX_WAIT_MS) throw new Error(`a link did not follow within ${MAX_WAIT_MS / 1000} s`)
      await sleep(LOOK)
    }
    return performance.now() - started
  }
  async function urlOf(id: number): Promise<string> {
    const { status, body } = await client['get-link']({ params: { company, folder, media: id } })
    return status === 200 ? (body.url ?? '') : ''
  }
  async function shows(url: string, bytes: Buffer): Promise<boolean> {
    const response = await fetch(url)
    return Buffer.from(await response.arrayBuffer()).equals(bytes)
  }
  async function succeeds(request: Promise<{ status: number }>): Promise<void> {
    const { status } = await request
    if (status !== 200) throw new Error(`a change of the CDN folder was answered with ${status}`)
  }
  return {
    async publish(id: number, bytes: Buffer): Promise<number> {
      const started = performance.now()
      await succeeds(client['copy-media']({ params: { id, folderId: folder } }))
      let url = ''
      await until(async () => {
        url ||= await urlOf(id)
        return url !== '' && (await shows(url, bytes))
      })
      return performance.now() - started
    },
    async replace(id: number, by: number, bytes: Buffer): Promise<number> {
      const url = await urlOf(id)
      const started = performance.now()
      await succeeds(client['replace-link']({ params: { company, folder, old: id, new: by } }))
      await until(() => shows(url, bytes))
      return performance.now() - started
    },
    async remove(id: number): Promise<number> {
      const url = await urlOf(id)
      const started = performance.now()
      await succeeds(client['remove-media']({ params: { id, folderId: folder } }))
      await until(async () => (await fetch(url)).status === 404)
      return performance.now() - started
    },
  }
}

async function eachInTurn(ids: readonly number[], change: (id: number, n: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (const [n, id] of ids.entries()) times.push(await change(id, n))
  return times
}

function rowsOf(what: string, times: readonly number[], atMost?: number): Row[] {
  return [
    { what: `${what}, p50`, value: percentile(sorted(times), 0.5), unit: 'ms', ...(atMost !== undefined && { atMost }) },
    { what: `${what}, p95`, value: percentile(sorted(times), 0.95), unit: 'ms' },
  ]
}
