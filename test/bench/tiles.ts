import { imageService } from '../support/image-service.ts'
import { photo } from '../support/pictures/index.ts'
import { keepAliveClient } from './keep-alive-client.ts'
import { publishedFiles } from './published-files.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, sorted } from './timing.ts'

/** Side of a tile in pixels. */
const TILE = 512

interface Information {
  width: number
  height: number
  tiles: [{ scaleFactors: number[] }]
}

/**
 * Tiles of a picture of 100 megapixels, through HTTP, one after the other, each for the first time: those of all levels in turn, across the picture.
 * @param options.tiles how many
 */
export async function run({ tiles = 100 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using server = await startServiceProcess(data.directory)
  const [link] = await publishedFiles(server, [await photo(100, 0)])
  const address = new URL(imageService(link!))
  using client = keepAliveClient({ baseUrl: address.origin, authorization: '' })
  const information: Information = JSON.parse(await client.get(`${address.pathname}/info.json`))
  const [first, ...later] = tilesOf(information, tiles + 1)
  const timed = async (path: string) => {
    const started = performance.now()
    const { status } = await client.read(`${address.pathname}/${path}`)
    if (status !== 200) throw new Error(`${path}: ${status}`)
    return performance.now() - started
  }
  const cold = await timed(first!)
  const times: number[] = []
  for (const path of later) times.push(await timed(path))
  const ordered = sorted(times)
  return [
    { what: 'the first tile of 100 MP', value: cold, unit: 'ms' },
    { what: `${times.length} more tiles: p50`, value: percentile(ordered, 0.5), unit: 'ms', atMost: 120 },
    { what: `${times.length} more tiles: p95`, value: percentile(ordered, 0.95), unit: 'ms' },
  ]
}

/** Different tiles, of each level in turn, spread over the picture. */
function tilesOf({ width, height, tiles: [{ scaleFactors }] }: Information, count: number): string[] {
  const levels = scaleFactors.map((factor) => {
    const side = TILE * factor
    const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)]
    const all = Array.from({ length: columns * rows }, (_, n) => {
      const [left, top] = [(n % columns) * side, Math.floor(n / columns) * side]
      const [w, h] = [Math.min(side, width - left), Math.min(side, height - top)]
      return `${left},${top},${w},${h}/${Math.ceil(w / factor)},${Math.ceil(h / factor)}/0/default.jpg`
    })
    // 17 has no factor in common with the numbers of tiles of a picture of 4 to 3.
    return all.map((_, n) => all[(n * 17) % all.length]!)
  })
  const inTurn = Array.from({ length: count }, (_, n) => levels.flatMap((level) => level[n] ?? [])).flat()
  return [...new Set(inTurn)].slice(0, count)
}
