import { copyFile, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { photo } from '../support/pictures/index.ts'
import { startIpx, startThumbor } from './image-servers.ts'
import { type HttpClient, httpClient, pictureUrl, serverContender, serviceContender, sharpAlone } from './link-contenders.ts'
import { animation, cutOut } from './link-pictures.ts'
import { checkSame, qualityRows } from './link-quality.ts'
import { load } from './load.ts'
import { peakBytesOfAll } from './processes.ts'
import { publishedFiles } from './published-files.ts'
import { type Contender, type Measured, sideBySide, type Task } from './renders-side-by-side.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { median, percentile, timed } from './timing.ts'

/** Pictures of a kind, made smaller. */
interface Scenario {
  what: string
  /** Numbers of the files. */
  files: readonly number[]
  /** The smallest; each further picture of a file is a pixel wider. */
  width: number
  format: Task['format']
  atOnce: number
  /** Pictures a round. */
  renders: number
  /** Least ratio of pictures a second to sharp alone. */
  againstAlone?: number
  /** The same to the best of the other servers. */
  againstBest?: number
}

const photos = [0, 1, 2, 3, 4, 5]
const cutOuts = [0, 1, 2, 3]
const jpeg = { what: 'JPEG of 24 MP', files: [0, 1, 2, 3, 4, 5], width: 306 }
const png = { what: 'PNG of 12 MP with alpha', files: [6, 7, 8, 9], width: 626 }
const gif = { what: 'GIF of 100 frames', files: [10], width: 230 }

const scenarios: readonly Scenario[] = [
  { ...jpeg, format: 'webp', atOnce: 4, renders: 24, againstAlone: 2.1, againstBest: 3 },
  { ...jpeg, format: 'jpeg', atOnce: 4, renders: 24, againstAlone: 2.7, againstBest: 4 },
  { ...jpeg, format: 'webp', atOnce: 1, renders: 12, againstAlone: 1.8 },
  { ...jpeg, format: 'jpeg', atOnce: 1, renders: 12, againstAlone: 2.2 },
  { ...png, format: 'webp', atOnce: 4, renders: 8, againstBest: 3 },
  { ...gif, format: 'webp', atOnce: 1, renders: 2, againstBest: 1.5 },
]

/** The files by their numbers. */
async function pictures(): Promise<string[]> {
  const paths: string[] = []
  for (const seed of photos) paths.push(await photo(24, seed))
  for (const seed of cutOuts) paths.push(await cutOut(seed))
  return [...paths, await animation(0)]
}

/**
 * Pictures of links that nobody has asked for before: the service through HTTP, beside ipx and thumbor serving the same files, and sharp
 * alone rendering from the originals in this process. Then pictures that were asked for before.
 * @param options.rounds in which each renders the same pictures
 * @param options.seconds of load on a picture that was asked for before
 */
export async function run({ rounds = 5, seconds = 5 } = {}): Promise<Row[]> {
  const paths = await pictures()
  await using data = await temporaryData()
  const [folder, library] = [join(data.directory, 'files'), join(data.directory, 'library')]
  await Promise.all([mkdir(folder), mkdir(library)])
  const names = paths.map((path, n) => `${n}${extname(path)}`)
  for (const [n, name] of names.entries()) await copyFile(paths[n]!, join(folder, name))
  await using ipx = await startIpx(folder)
  await using thumbor = await startThumbor(folder, data.directory)
  await using server = await startServiceProcess(library)
  const links = await publishedFiles(server, paths)
  using http = httpClient()
  const service = serviceContender(server, links, http)
  const alone = sharpAlone(paths)
  const peers = [ipx, thumbor].map((peer) => serverContender(peer, names, http))
  const next = tasksNotAskedBefore()
  const rows: Row[] = []
  for (const scenario of scenarios) {
    // thumbor answers an animation with a GIF, whatever it is asked for.
    const able = scenario.what === gif.what ? peers.slice(0, 1) : peers
    const contenders = [service, ...able, alone]
    for (const task of next(scenario, 1)) await checkSame(contenders, task)
    const tasks = Array.from({ length: rounds }, () => next(scenario, scenario.renders))
    rows.push(...rowsOf(scenario, await sideBySide(contenders, tasks, scenario.atOnce)))
  }
  rows.push(...(await animationRows(service, peers)))
  for (const format of ['webp', 'jpeg'] as const) {
    const what = `${jpeg.what} to ${format}`
    rows.push(...(await qualityRows(what, next({ ...jpeg, format }, photos.length), { service, alone, paths })))
  }
  rows.push(...(await qualityRows(`${png.what} to webp`, next({ ...png, format: 'webp' }, cutOuts.length), { service, alone, paths })))
  rows.push(...(await cachedRows(pictureUrl(links, { file: 0, width: jpeg.width, format: 'webp' }), http, seconds)))
  const processes = [{ name: service.name, pid: server.pid }, ipx, thumbor]
  const memory = processes.map(({ name, pid }) => ({ what: `peak memory of ${name}, all processes`, value: peakBytesOfAll(pid) / 1e6 }))
  return [...rows, ...memory.map((row) => ({ ...row, unit: 'MB' }))]
}

type Kind = Pick<Scenario, 'files' | 'width' | 'format'>

/** @returns makes so many tasks of a kind, different from all before */
function tasksNotAskedBefore(): (kind: Kind, count: number) => Task[] {
  const made = new Map<string, number>()
  return ({ files, width, format }, count) => {
    const key = `${files} ${format}`
    const first = made.get(key) ?? 0
    made.set(key, first + count)
    return Array.from({ length: count }, (_, n) => {
      const at = first + n
      return { file: files[at % files.length]!, width: width + Math.floor(at / files.length), format }
    })
  }
}

function rowsOf({ what, format, atOnce, againstAlone, againstBest }: Scenario, measured: readonly Measured[]): Row[] {
  const name = `${what} to ${format}, ${atOnce} at a time`
  const [service, ...others] = measured.map(({ rendersPerSecond }) => rendersPerSecond)
  const alone = others.pop()
  const best = Math.max(...others)
  const rows = measured.flatMap((each) => [
    { what: `${name}: ${each.name}`, value: each.rendersPerSecond, unit: 'pictures/s' },
    { what: `${name}: ${each.name}, processor time of one`, value: each.processorMilliseconds, unit: 'ms' },
  ])
  return [
    ...rows,
    { what: `${name}: the service against sharp alone`, value: service! / alone!, unit: 'ratio', atLeast: againstAlone },
    { what: `${name}: the service against the best server`, value: service! / best, unit: 'ratio', atLeast: againstBest },
  ]
}

/** GIF stays GIF: how long one picture takes. The others are asked once, as some take half a minute. */
async function animationRows(service: Contender, peers: readonly Contender[]): Promise<Row[]> {
  const task = (n: number) => ({ file: gif.files[0]!, width: gif.width + n, format: 'gif' as const })
  const seconds = async (contender: Contender, times: number) => {
    const taken: number[] = []
    for (let n = 0; n < times; n++) taken.push(...(await timed(1, () => contender.render(task(n)))))
    return median(taken) / 1000
  }
  const name = `${gif.what} to gif`
  const rows: Row[] = [{ what: `${name}: ${service.name}, p50`, value: await seconds(service, 3), unit: 's', atMost: 3 }]
  for (const peer of peers) rows.push({ what: `${name}: ${peer.name}`, value: await seconds(peer, 1), unit: 's' })
  return rows
}

/** @param url of a picture that was asked for before */
async function cachedRows(url: string, http: HttpClient, seconds: number): Promise<Row[]> {
  const { requestsPerSecond } = await load(url, { connections: 16, seconds })
  const times = await timed(1_000, () => http.get(url, 'hit'))
  return [
    { what: 'a picture asked for before, 16 connections', value: Math.round(requestsPerSecond), unit: 'requests/s', atLeast: 2_000 },
    { what: 'a picture asked for before, 1 connection, p50', value: percentile(times, 0.5), unit: 'ms', atMost: 1 },
  ]
}
