import { copyFile, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import sharp from 'sharp'
import { photo } from '../support/pictures/index.ts'
import { startIpx } from './image-servers.ts'
import { animation, cutOut } from './link-pictures.ts'
import { publishedFiles } from './published-files.ts'
import type { Row } from './report.ts'
import { type ServiceProcess, startServiceProcess, temporaryData } from './service-process.ts'
import { type Contender, checkSame, newPicture, renderAll, type Task } from './side-by-side.ts'
import { median } from './timing.ts'

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
  /** The same to ipx. */
  againstIpx?: number
}

const jpeg = { what: 'JPEG of 24 MP', files: [0, 1, 2, 3, 4, 5], width: 306 }
const png = { what: 'PNG of 12 MP with alpha', files: [6, 7, 8, 9], width: 626 }
const gif = { what: 'GIF of 100 frames', files: [10], width: 230 }

const scenarios: readonly Scenario[] = [
  { ...jpeg, format: 'webp', atOnce: 4, renders: 24, againstAlone: 2.1, againstIpx: 3 },
  { ...jpeg, format: 'jpeg', atOnce: 4, renders: 24, againstAlone: 2.7, againstIpx: 4 },
  { ...jpeg, format: 'webp', atOnce: 1, renders: 12, againstAlone: 1.8 },
  { ...jpeg, format: 'jpeg', atOnce: 1, renders: 12, againstAlone: 2.2 },
  { ...png, format: 'webp', atOnce: 4, renders: 8, againstIpx: 3 },
  { ...gif, format: 'webp', atOnce: 1, renders: 2, againstIpx: 1.5 },
]

/** The files by their numbers. */
async function pictures(): Promise<string[]> {
  const paths: string[] = []
  for (const seed of jpeg.files.keys()) paths.push(await photo(24, seed))
  for (const seed of png.files.keys()) paths.push(await cutOut(seed))
  return [...paths, await animation(0)]
}

/**
 * Pictures of links that nobody has asked for before: the service through HTTP, beside ipx serving the same files, and sharp alone rendering
 * from the originals in this process.
 * @param options.rounds in which each renders the same pictures
 */
export async function run({ rounds = 5 } = {}): Promise<Row[]> {
  const paths = await pictures()
  await using data = await temporaryData()
  const [folder, library] = [join(data.directory, 'files'), join(data.directory, 'library')]
  await Promise.all([mkdir(folder), mkdir(library)])
  const names = paths.map((path, n) => `${n}${extname(path)}`)
  for (const [n, name] of names.entries()) await copyFile(paths[n]!, join(folder, name))
  await using ipx = await startIpx(folder)
  await using server = await startServiceProcess(library)
  const links = await publishedFiles(server, paths)
  const urlOf = ({ file, width, format }: Task) => `${links[file]}?width=${width}&output_format=${format}`
  const contenders: Contender[] = [
    { name: 'the service', render: (task) => newPicture(urlOf(task)) },
    { name: ipx.name, render: (task) => newPicture(ipx.url(names[task.file]!, task)) },
    sharpAlone(paths),
  ]
  const rows: Row[] = []
  const made = new Map<string, number>()
  for (const scenario of scenarios) {
    const { what, files, format, renders, atOnce } = scenario
    /** So many tasks, different from all before. */
    const next = (count: number): Task[] => {
      const first = made.get(`${what} ${format}`) ?? 0
      made.set(`${what} ${format}`, first + count)
      const at = Array.from({ length: count }, (_, n) => first + n)
      return at.map((n) => ({ file: files[n % files.length]!, width: scenario.width + Math.floor(n / files.length), format }))
    }
    for (const task of next(1)) await checkSame(contenders, task)
    const tasks = Array.from({ length: rounds }, () => next(renders))
    rows.push(...rowsOf(scenario, await sideBySide(contenders, tasks, atOnce)))
  }
  return [...rows, ...(await cutRows(links)), ...(await tileRows(server))]
}

/** Renders of each kind, one after the other. */
const CUTS = 15

/** Milliseconds of pictures that nobody has asked for before, medians. @param urlOf the address of one, by its number */
async function millisecondsOf(urlOf: (n: number) => string, headers: { [name: string]: string } = {}): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < CUTS; n++) {
    const started = performance.now()
    await newPicture(urlOf(n), headers)
    times.push(performance.now() - started)
  }
  return median(times)
}

/** Cuts beside pictures of as many pixels that aren't cut, and the best format. */
async function cutRows(links: readonly string[]): Promise<Row[]> {
  const linkOf = (n: number) => links[jpeg.files[n % jpeg.files.length]!]
  const inside = await millisecondsOf((n) => `${linkOf(n)}?width=${400 + n}&output_format=webp`)
  const cover = await millisecondsOf((n) => `${linkOf(n)}?fit=cover&width=${340 + n}&height=${340 + n}&output_format=webp`)
  const avif = await millisecondsOf((n) => `${linkOf(n)}?width=${1_280 - n}&output_format=auto`, { accept: 'image/avif,image/webp,*/*' })
  return [
    { what: 'JPEG of 24 MP, cover against inside', value: cover / inside, unit: 'ratio' },
    { what: 'JPEG of 24 MP, 1280 pixels in the best format, AVIF', value: avif, unit: 'ms' },
  ]
}

/** Tiles of a very large picture, of its full size and of a quarter of it. */
async function tileRows(server: ServiceProcess): Promise<Row[]> {
  const [link] = await publishedFiles(server, [await photo(100, 0)])
  const tile = (size: number) => (n: number) => `${link}?crop=${0.01 * n},0.3,${size},${size}&width=512&output_format=jpeg`
  return [
    { what: 'tiles of 100 MP, full size', value: await millisecondsOf(tile(0.05)), unit: 'ms' },
    { what: 'tiles of 100 MP, a quarter of the size', value: await millisecondsOf(tile(0.2)), unit: 'ms' },
  ]
}

/** The library alone, in this process, from the originals, with the service's settings of its encoders. */
function sharpAlone(paths: readonly string[]): Contender {
  sharp.cache(false)
  return {
    name: 'sharp alone',
    render({ file, width, format }) {
      const image = sharp(paths[file], { animated: paths[file]!.endsWith('.gif'), autoOrient: true }).resize(width)
      return (format === 'jpeg' ? image.jpeg({ quality: 80 }) : image.webp({ quality: 80 })).toBuffer()
    },
  }
}

/**
 * Has all contenders render the same pictures, in rounds in which each has its turn: what else the machine does meanwhile meets all of
 * them alike.
 * @returns pictures a second of each, medians of the rounds
 */
async function sideBySide(contenders: readonly Contender[], rounds: readonly Task[][], atOnce: number): Promise<number[]> {
  const rates = contenders.map((): number[] => [])
  for (const tasks of rounds) {
    for (const [n, contender] of contenders.entries()) rates[n]!.push(await renderAll(contender, tasks, atOnce))
  }
  return rates.map(median)
}

function rowsOf({ what, format, atOnce, againstAlone, againstIpx }: Scenario, [service, ipx, alone]: readonly number[]): Row[] {
  const name = `${what} to ${format}, ${atOnce} at a time`
  return [
    { what: `${name}: the service`, value: service!, unit: 'pictures/s' },
    { what: `${name}: ipx`, value: ipx!, unit: 'pictures/s' },
    { what: `${name}: sharp alone`, value: alone!, unit: 'pictures/s' },
    { what: `${name}: the service against sharp alone`, value: service! / alone!, unit: 'ratio', atLeast: againstAlone },
    { what: `${name}: the service against ipx`, value: service! / ipx!, unit: 'ratio', atLeast: againstIpx },
  ]
}
