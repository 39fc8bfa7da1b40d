import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineUnavailable } from '../support/aws/engine.ts'
import { photo } from '../support/pictures/index.ts'
import { startImagor } from './image-servers.ts'
import { processorSecondsOfAll } from './processes.ts'
import { publishedFiles } from './published-files.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { type Contender, checkSame, newPicture, renderAll, type Task } from './side-by-side.ts'
import { median } from './timing.ts'

/** JPEGs, half of 12 and half of 24 megapixels. */
const FILES = 8
const AT_ONCE = 16

/** Renders of each contender in a round. */
const RENDERS = 32

/** Least ratio of our pictures a second to those of the peer. */
const AGAINST_PEER = 0.9

/** Sizes that a website asks for, and their formats. Each further picture of a file is a pixel wider. */
const scenarios = [
  { what: 'thumbnails, 320', width: 320, format: 'webp' },
  { what: 'columns, 960', width: 960, format: 'webp' },
  { what: 'whole screens, 1920', width: 1920, format: 'jpeg' },
] as const

interface Measured {
  rates: number[]
  /** Processor seconds a picture. */
  costs: number[]
}

/**
 * Pictures of links that nobody has asked for before: the service through HTTP, beside imagor serving the same files on the same processors.
 * They take turns in each round, so what else the machine does meets both alike.
 * @param options.rounds in which each renders the same pictures
 */
export async function run({ rounds = 5 } = {}): Promise<Row[]> {
  const paths = await Promise.all(Array.from({ length: FILES }, (_, seed) => photo(seed % 2 === 0 ? 12 : 24, seed)))
  await using data = await temporaryData()
  const [folder, library] = [join(data.directory, 'files'), join(data.directory, 'library')]
  await Promise.all([mkdir(folder), mkdir(library)])
  for (const [n, path] of paths.entries()) await copyFile(path, join(folder, `${n}.jpg`))
  const imagor = await startImagor(folder).catch((error: Error) => {
    if (!(error instanceof EngineUnavailable)) throw error
    console.log(`There is no peer to compare with: ${error.message}`)
  })
  if (!imagor) return []
  await using peer = imagor
  await using server = await startServiceProcess(library)
  const links = await publishedFiles(server, paths)
  const contenders: (Contender & { pid: number })[] = [
    {
      name: 'the service',
      pid: server.pid,
      render: ({ file, width, format }) => newPicture(`${links[file]}?width=${width}&output_format=${format}`),
    },
    { name: peer.name, pid: peer.pid, render: ({ file, ...wanted }) => newPicture(peer.url(`${file}.jpg`, wanted)) },
  ]
  const rows: Row[] = []
  for (const { what, width, format } of scenarios) {
    const tasks = Array.from(
      { length: rounds * RENDERS + 1 },
      (_, n): Task => ({ file: n % FILES, width: width + Math.floor(n / FILES), format }),
    )
    await checkSame(contenders, tasks.pop()!)
    const measured = contenders.map((): Measured => ({ rates: [], costs: [] }))
    for (let round = 0; round < rounds; round++) {
      for (const [n, contender] of contenders.entries()) {
        const before = processorSecondsOfAll(contender.pid)
        measured[n]!.rates.push(await renderAll(contender, tasks.slice(round * RENDERS, (round + 1) * RENDERS), AT_ONCE))
        measured[n]!.costs.push((processorSecondsOfAll(contender.pid) - before) / RENDERS)
      }
    }
    rows.push(...rowsOf(`${what} to ${format}`, contenders, measured))
  }
  return rows
}

function rowsOf(what: string, contenders: readonly Contender[], measured: readonly Measured[]): Row[] {
  const [ours, theirs] = measured.map(({ rates, costs }) => ({ rate: median(rates), cost: median(costs) }))
  return [
    ...contenders.flatMap(({ name }, n) => [
      { what: `${what}: ${name}`, value: median(measured[n]!.rates), unit: 'pictures/s' },
      { what: `${what}: ${name}`, value: median(measured[n]!.costs) * 1000, unit: 'processor ms a picture' },
    ]),
    { what: `${what}: the service against the peer`, value: ours!.rate / theirs!.rate, unit: 'ratio', atLeast: AGAINST_PEER },
    { what: `${what}: processor time against the peer's`, value: ours!.cost / theirs!.cost, unit: 'ratio' },
  ]
}
