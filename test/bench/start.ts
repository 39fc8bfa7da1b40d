import { setTimeout as sleep } from 'node:timers/promises'
import { residentBytes } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { median } from './timing.ts'

/**
 * How long the server takes from its start to its ready line, on an empty folder and on the data of an earlier start, and how much
 * memory it takes when nobody asks anything.
 * @param options.idle seconds after which memory is looked at
 */
export async function run({ starts = 5, idle = 10 } = {}): Promise<Row[]> {
  const fresh: number[] = []
  const existing: number[] = []
  for (let n = 0; n < starts; n++) {
    await using data = await temporaryData()
    fresh.push(await readyAfter(data.directory))
    existing.push(await readyAfter(data.directory))
  }
  return [
    { what: `ready on fresh data, median of ${starts}`, value: median(fresh) / 1000, unit: 's', atMost: 2 },
    { what: `ready on existing data, median of ${starts}`, value: median(existing) / 1000, unit: 's', atMost: 2 },
    {
      what: `memory after ${idle} s without a request, all processes`,
      value: await idleMegabytes(idle),
      unit: 'MB',
      atMost: 120,
    },
  ]
}

async function readyAfter(directory: string): Promise<number> {
  await using service = await startServiceProcess(directory)
  return service.readyAfter
}

async function idleMegabytes(seconds: number): Promise<number> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  await sleep(seconds * 1000)
  return residentBytes(service.pid) / 1e6
}
