import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EndpointName, endpoints } from '../../../functions/endpoints.ts'
import { events } from '../../../functions/events.ts'
import { type Calls, type Counted, type CountedOperation, UPLOADED_PHOTO } from '../../../infra/cost/counted.ts'
import { DemoFile, demoFile } from '../../../infra/local/demo/demo.ts'
import { startServer } from '../../../infra/local/server.ts'
import { readSettings } from '../../../infra/local/settings.ts'
import { namedFunctions } from '../../../shared/events/consumer.ts'
import { apiClient } from '../../../shared/http/client.ts'
import type { Endpoint } from '../../../shared/http/endpoint.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { images } from '../../support/pictures/index.ts'
import { routeSettings, serviceAt } from '../../support/service.ts'
import { hmacAuthorization, successes } from '../../support/successes.ts'
import { upload } from '../../support/uploading.ts'
import { callerOf, type Files, makeFiles, type World } from '../../support/world.ts'
import { openMeteredService } from './metered-service.ts'

interface Library extends Files {
  directory: string
  demo: DemoFile
  authorization: string
}

/** Counts everything, each on a copy of the same library, in which nothing has been read before. */
export async function countOperations(names = Object.keys(endpoints) as EndpointName[]): Promise<Counted> {
  const directory = await mkdtemp(join(tmpdir(), 'counted-'))
  try {
    const library = await makeLibrary(directory)
    const operations: Record<string, CountedOperation> = {}
    for (const name of names)
      operations[name] = await onCopy(library, (world, metered) => callEndpoint(world, name, { metered, user: library.authorization }))
    operations[UPLOADED_PHOTO] = await onCopy(library, uploadPhoto)
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
  const authorization = await authorizations[callerOf(endpoint)]()
  const client = apiClient(
    { [name]: endpoint },
    { baseUrl: world.service.baseUrl, ...routeSettings, ...(authorization && { authorization }) },
  )
  const input = await successes[name](world)
  await metered.settle()
  return metered.billed(async () => {
    const { status, body } = await client[name]!(input)
    assert.ok(status < 400, `${name}: ${status} ${JSON.stringify(body)}`)
  })
}

async function uploadPhoto({ client, folder }: World, metered: Metered): Promise<CountedOperation> {
  const photo = await images['plain.jpg']()
  return metered.billed(() => upload(client, folder, photo, 'photo.jpg'))
}
