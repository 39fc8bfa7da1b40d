import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../../functions/endpoints.ts'
import { DemoFile, demoFile } from '../../infra/local/demo/demo.ts'
import { CLIENT_LIMITS } from '../../infra/local/http/client-limits.ts'
import { startServer } from '../../infra/local/server.ts'
import { readSettings } from '../../infra/local/settings.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { type ApiClient, apiClient } from '../../shared/http/declaration/client.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { newCompany } from './company.ts'
import { answerOf } from './conformity.ts'
import { skippedFor } from './skipping.ts'
import { RunningClock } from './test-clock.ts'

/** A service under test: one that was started for the test, or one that runs elsewhere. Tests use HTTP. */
export interface Service {
  baseUrl: string
  demo: DemoFile
  /** Data folder; undefined where the service runs elsewhere. */
  directory: string | undefined
  /** Name of the deployed stack, if it is one. */
  stack: string | undefined
  /** Log lines that it has written so far; none where it runs elsewhere. */
  log: readonly string[]
  /** Moves the service's clock forward. Only a service that the test started can do that. */
  advance(seconds: number): void
  /** A request to a path, without authorization. It follows no redirect. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Signs in, by default as the demo's admin. @returns the value of the `Authorization` header */
  signIn(credentials?: Partial<Pick<DemoFile, 'username' | 'password' | 'api_key' | 'api_secret'>>): Promise<string>
  /** The typed client, by default signed in as the demo's admin. `null` means no authorization. */
  client(authorization?: string | null): Promise<ApiClient<typeof endpoints>>
  /** Stops a service that the test started, and removes its data. */
  stop(): Promise<void>
}

const { SERVICE_URL, SERVICE_DEMO, SERVICE_STACK, SERVICE_EMULATOR } = process.env

/** Settings of the service that its routes may name. */
export const routeSettings = { vendor: process.env.VENDOR || defaultSettings.vendor }

/** Options of a test that needs the service's clock, disk or settings. They skip it where the service runs elsewhere. */
export const elsewhere = skippedFor(
  SERVICE_URL !== undefined && 'the service runs elsewhere: its clock, disk and settings are out of reach',
)

/** Address of the emulator, if the service is deployed on one. */
export const emulator = SERVICE_EMULATOR

/** Options of a test that the emulator can't run. They skip it there. @param what the emulator does instead */
export const emulatorLimit = (what: string) => skippedFor(emulator !== undefined && `the emulator ${what}`)

/**
 * Starts the real service in this process, with a data folder of its own and a clock that the test moves. With `SERVICE_URL` in the
 * environment it uses the service there instead. `SERVICE_STACK` (name of a stack, with AWS credentials) makes a new company for the
 * test; `SERVICE_DEMO` (path of a demo.json) uses the company of that file.
 * @param environment settings as for `npm start`
 * @param limits of clients, by default those of `npm start`
 */
export async function startService(environment: Record<string, string> = {}, limits = CLIENT_LIMITS): Promise<Service> {
  if (SERVICE_URL && SERVICE_STACK) return { ...serviceAt(SERVICE_URL, await newCompany(SERVICE_STACK, SERVICE_URL)), stack: SERVICE_STACK }
  if (SERVICE_URL && SERVICE_DEMO) return serviceAt(SERVICE_URL, DemoFile.parse(JSON.parse(readFileSync(SERVICE_DEMO, 'utf8'))))
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  const log: string[] = []
  const clock = new RunningClock()
  const settings = readSettings({ PORT: '0', DATA_DIR: directory, VENDOR: routeSettings.vendor, ...environment })
  const surroundings = { log: jsonLog((line) => log.push(line)), say: () => undefined, isTerminal: false, clock, limits }
  const server = await startServer(settings, surroundings)
  const demo = DemoFile.parse(JSON.parse(readFileSync(demoFile(directory), 'utf8')))
  return {
    ...serviceAt(server.baseUrl, demo, clock, settings.service.brand),
    directory,
    log,
    advance: (seconds) => clock.advance(seconds),
    async stop() {
      await server.stop(5_000)
      checkStatuses(log)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Made once for all services of this process: that takes 120 ms. */
let apiDocument: ReturnType<typeof openApiDocument> | undefined

/** Checks that the API document names every status that a test made the service answer with. */
function checkStatuses(log: readonly string[]): void {
  apiDocument ??= openApiDocument(endpoints, { ...defaultSettings, ...routeSettings })
  const document = apiDocument
  const routes = new Set<string>(Object.values(endpoints).map(({ route }) => route(routeSettings)))
  const requests = log.map((line) => JSON.parse(line)).filter(({ route }) => routes.has(route))
  const answered = new Set(requests.map(({ route, status }) => `${route} ${status}`))
  const undeclared = [...answered].filter((each) => {
    const [method, path, status] = each.split(' ')
    return !answerOf(document, `${method} ${path}`, Number(status))
  })
  assert.deepEqual(undeclared, [], 'answers with statuses that the API document does not name')
}

export function serviceAt(baseUrl: string, demo: DemoFile, clock = systemClock, brand = process.env.BRAND || 'SVC'): Service {
  const request: Service['request'] = (path, init) => fetch(baseUrl + path, { redirect: 'manual', ...init })
  const signIn: Service['signIn'] = async (credentials = {}) => {
    const { username, password, api_key: key, api_secret: secret } = { ...demo, ...credentials }
    const ts = Math.floor(clock.now() / 1000)
    const hmac = createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')
    const response = await request('/authenticate/userpasshmac', {
      method: 'POST',
      body: JSON.stringify({ username, password, key, ts, hmac }),
    })
    if (response.status !== 200) throw new Error(`signing in as ${username}: ${response.status} ${await response.text()}`)
    const { token } = (await response.json()) as { token: string }
    return `${brand}-SIMPLE-TOKEN Token=${token}`
  }
  let demoAuthorization: Promise<string> | undefined
  return {
    baseUrl,
    demo,
    directory: undefined,
    stack: undefined,
    log: [],
    advance() {
      throw new Error('the clock of a service that runs elsewhere cannot be moved')
    },
    request,
    signIn,
    async client(authorization) {
      if (authorization === null) return apiClient(endpoints, { baseUrl, ...routeSettings })
      demoAuthorization ??= signIn()
      return apiClient(endpoints, { baseUrl, ...routeSettings, authorization: authorization ?? (await demoAuthorization) })
    },
    async stop() {},
  }
}
