import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What a server stood up to. */
interface Load {
  requestsPerSecond: number
  /** How many it answered in all. */
  requests: number
  /** Median latency in milliseconds. */
  p50: number
}

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))

/** Asks for one address over and over, with autocannon in a process of its own. @throws Error when an answer wasn't a success */
export async function load(
  url: string,
  { authorization, connections, seconds }: { authorization?: string; connections: number; seconds: number },
): Promise<Load> {
  const options = ['--json', '-c', String(connections), '-d', String(seconds)]
  if (authorization !== undefined) options.push('-H', `Authorization=${authorization}`)
  const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...options, url], { maxBuffer: 64 * 1024 * 1024 })
  const result = JSON.parse(stdout) as {
    requests: { mean: number; total: number }
    latency: { p50: number }
    non2xx: number
    errors: number
  }
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} requests failed`)
  return { requestsPerSecond: result.requests.mean, requests: result.requests.total, p50: result.latency.p50 }
}
