import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, test } from 'vitest'
import { type EndpointName, endpoints } from '../../../../functions/endpoints.ts'
import { events } from '../../../../functions/events.ts'
import {
  type Calls,
  type Counted,
  type CountedOperation,
  counted as readCounted,
  TOLD_EVENT,
  UPLOADED_PHOTO,
} from '../../../../infra/aws/cost/counted.ts'
import { sharePage } from '../../../../infra/aws/cost/operation.ts'
import { builtConsole } from '../../../../infra/clients/console/built.ts'
import { DemoFile, demoFile } from '../../../../infra/local/demo/demo.ts'
import { startServer } from '../../../../infra/local/server.ts'
import { readSettings } from '../../../../infra/local/settings.ts'
import { apiClient } from '../../../../shared/http/declaration/client.ts'
import type { Endpoint } from '../../../../shared/http/declaration/endpoint.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { namedFunctions } from '../../../../shared/runtime/consumer.ts'
import { listening } from '../../../support/listening.ts'
import { images } from '../../../support/pictures/index.ts'
import { routeSettings, serviceAt } from '../../../support/service.ts'
import { hmacAuthorization, successes } from '../../../support/successes.ts'
import { upload } from '../../../support/uploading.ts'
import { callerOf, type Files, makeFiles, type World } from '../../../support/world.ts'
import { openMeteredService } from './metered-service.ts'

/** Items hold random numbers and times: one may be just larger than a kilobyte, which is a unit of writing, two in a transaction. */
const MORE_WRITTEN = 2

/** With `COUNT_COSTS=1` what is counted is stated from now on. */
describe('calls, counted again', () => {
  const file = new URL('../../../../infra/aws/cost/counted.json', import.meta.url)
  let now: Counted
  let stated: Counted
  beforeAll(async () => {
    now = await countOperations()
    if (process.env.COUNT_COSTS) await writeFile(file, oneLineEach(now))
    stated = readCounted()
  })

  test('are all stated, and no others', () => {
    assert.deepEqual(Object.keys(stated.operations).sort(), Object.keys(now.operations).sort())
    assert.deepEqual(Object.keys(stated.schedules).sort(), Object.keys(now.schedules).sort())
  })

  test('are billed for no more than is stated, with all that follows from them', () => {
    for (const [name, operation] of Object.entries(now.operations)) {
      const limits = totals(stated.operations[name]!)
      for (const [unit, amount] of Object.entries(totals(operation))) {
        const limit = (limits[unit] ?? 0) + (unit === 'writeUnits' ? MORE_WRITTEN : 0)
        assert.ok(amount <= limit, `${name}: ${amount} ${unit}, and ${limits[unit] ?? 0} are stated`)
      }
    }
  })

  test('of the page behind a share link, for as many files as is stated', async () => {
    const assets = join(await builtConsole(), 'assets')
    const script = await readFile(join(assets, 'share.js'), 'utf8')
    const files = ['share.js', ...new Set(Array.from(script.matchAll(/(?<=")assets\/([\w-]+\.(?:js|css))(?=")/g), ([, name]) => name!))]
    assert.equal(files.length, sharePage.files)
    const bytes = await Promise.all(files.map(async (name) => gzipSync(await readFile(join(assets, name))).length))
    assert.ok(bytes.reduce((sum, each) => sum + each) / 1_000 <= sharePage.kb, `${bytes}`)
  })

  test('of schedules that find nothing to do are no more than is stated', () => {
    for (const [name, calls] of Object.entries(now.schedules)) {
      for (const unit of Object.keys(calls) as (keyof Calls)[]) {
        assert.ok(calls[unit] <= stated.schedules[name]![unit], `${name}: ${calls[unit]} ${unit}`)
      }
    }
  })
})

/** Units, and runs of functions. */
function totals({ request, behind, runs }: CountedOperation): Record<string, number> {
  const units = (Object.keys(request) as (keyof Calls)[]).map((unit) => [unit, request[unit] + behind[unit]])
  return { ...Object.fromEntries(units), ...runs }
}

/** Each operation and each schedule on a line of its own, so that a difference is easy to read. */
function oneLineEach(counted: Counted): string {
  const section = (entries: object) =>
    Object.entries(entries)
      .map(([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`)
      .join(',\n')
  return `{\n  "operations": {\n${section(counted.operations)}\n  },\n  "schedules": {\n${section(counted.schedules)}\n  }\n}\n`
}

interface Library extends Files {
  directory: string
  demo: DemoFile
  authorization: string
}

/** Counts everything, each on a copy of the same library, in which nothing has been read before. */
async function countOperations(names = Object.keys(endpoints) as EndpointName[]): Promise<Counted> {
  const directory = await mkdtemp(join(tmpdir(), 'counted-'))
  try {
    const library = await makeLibrary(directory)
    const operations: Record<string, CountedOperation> = {}
    for (const name of names)
      operations[name] = await onCopy(library, (world, metered) => callEndpoint(world, name, { metered, user: library.authorization }))
    operations[UPLOADED_PHOTO] = await onCopy(library, uploadPhoto)
    operations[TOLD_EVENT] = await tellEvent(library)
    const schedules: Record<string, Calls> = {}
    for (const { name, trigger } of namedFunctions(events)) {
      if ('everyMinutes' in trigger) schedules[name] = await onCopy(library, (_, { schedule }) => schedule(name))
    }
    return { operations, schedules }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A library with a company, a folder with three files, and one without. */
async function makeLibrary(directory: string): Promise<Library> {
  // Nothing is being encoded when the library is copied.
  const settings = readSettings({ PORT: '0', DATA_DIR: directory, VENDOR: routeSettings.vendor, VIDEO_PREVIEWS: 'on-demand' })
  const server = await startServer(settings, { log: jsonLog(() => undefined), say: () => undefined, isTerminal: false })
  try {
    const demo = DemoFile.parse(JSON.parse(await readFile(demoFile(directory), 'utf8')))
    const service = serviceAt(server.baseUrl, demo)
    const authorization = await service.signIn()
    const client = await service.client(authorization)
    return { directory, demo, authorization, ...(await makeFiles(client)) }
  } finally {
    await server.stop(60_000)
  }
}

type Metered = Awaited<ReturnType<typeof openMeteredService>>

async function onCopy<T>(library: Library, act: (world: World, metered: Metered) => Promise<T>): Promise<T> {
  const { directory, demo, authorization, ...files } = library
  await using metered = await openMeteredService(directory, demo, authorization)
  const { service, client, accounts } = metered
  return await act({ service, client, accounts, ...files }, metered)
}

async function callEndpoint(
  world: World,
  name: EndpointName,
  { metered, user }: { metered: Metered; user: string },
): Promise<CountedOperation> {
  const endpoint: Endpoint = endpoints[name]
  const authorizations = {
    nobody: async () => undefined,
    user: async () => user,
    resetter: async () => hmacAuthorization(await world.accounts.key(['password_reset'])),
  }
  const input = await metered.settling(() => successes[name](world))
  const authorization = await authorizations[callerOf(endpoint, input)]()
  const client = apiClient(
    { [name]: endpoint },
    { baseUrl: world.service.baseUrl, ...routeSettings, ...(authorization && { authorization }) },
  )
  await metered.settle()
  return metered.billed(async () => {
    const { status, body } = await client[name]!(input)
    assert.ok(status < 400, `${name}: ${status} ${JSON.stringify(body)}`)
  })
}

async function uploadPhoto({ client, folder }: World, metered: Metered): Promise<CountedOperation> {
  const photo = await images['plain.jpg']()
  // It is registered and finalized by the API; the bucket takes the file itself.
  return { requests: 2, ...(await metered.billed(() => upload(client, folder, photo, 'photo.jpg'))) }
}

/** What a change costs more where a webhook is told of it. */
async function tellEvent(library: Library): Promise<CountedOperation> {
  const told: string[] = []
  const server = createServer(async (request, response) => {
    told.push(await text(request))
    response.end()
  })
  const { url, stop } = await listening(server)
  const changed = async ({ client, media }: World, metered: Metered) => {
    await metered.settle()
    return metered.billed(() => client['set-title']({ params: { id: media }, body: { en: 'Told' } }))
  }
  try {
    const alone = await onCopy(library, changed)
    const withWebhook = await onCopy(library, async (world, metered) => {
      const { id } = (await world.client['create-webhook']({ body: { url, types: ['media.updated'] } })).body
      // Until it has answered once, deliveries go by the job of slow targets.
      await world.client['test-webhook']({ params: { webhookId: id } })
      return changed(world, metered)
    })
    assert.equal(told.length, 2)
    return {
      requests: 0,
      request: less(withWebhook.request, alone.request),
      behind: less(withWebhook.behind, alone.behind),
      runs: Object.fromEntries(Object.entries(less(withWebhook.runs, alone.runs)).filter(([, count]) => count > 0)),
    }
  } finally {
    await stop()
  }
}

/** What is left of amounts without others. */
function less<Amounts extends object>(amounts: Amounts, others: Amounts): Amounts {
  const known = others as Readonly<Record<string, number>>
  return Object.fromEntries(
    Object.entries(amounts as Readonly<Record<string, number>>).map(([name, amount]) => [name, amount - (known[name] ?? 0)]),
  ) as Amounts
}
