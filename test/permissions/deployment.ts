import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { endpoints } from '../../functions/endpoints.ts'
import { events } from '../../functions/events.ts'
import { bundle } from '../../infra/bundling/bundle.ts'
import { packageConsole } from '../../infra/bundling/console-package.ts'
import { entriesOf, fallbackName } from '../../infra/bundling/entries.ts'
import { CLIENT_LIMITS } from '../../infra/local/client-limits.ts'
import { apiListener } from '../../infra/local/http/api-listener.ts'
import { type HttpServer, listen } from '../../infra/local/http/http-server.ts'
import { router } from '../../infra/local/http/router.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { Endpoint } from '../../shared/http/endpoint.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { synthesize } from '../infra/stack/synthesized.ts'
import { customResourceRequest } from './custom-resource-request.ts'
import { type DeployedResource, deployedResources, type Physical, type Place } from './deployed-template.ts'
import { makeResources } from './emulated-resources.ts'
import { FunctionFleet } from './function-fleet.ts'
import { INVOCATION, type Invoker, openInvoker } from './invoker.ts'
import { searchingFunctions, withOwnSearchFolder } from './own-search-folder.ts'
import { type Recorder, record } from './recorder.ts'
import { openSuggester } from './suggester.ts'
import { openTranscoder, type Transcoder } from './transcoder.ts'

const projectRoot = dirname(dirname(import.meta.dirname))
const tables = { endpoints, events }
const mailSender = 'library@example.com'
/** Characters that CDK puts at the end of a logical id. */
const HASH_LENGTH = 8

/** The product's bundles, run as their functions with the template's environment over an emulator, behind a gateway of our own. */
export interface Deployment {
  resources: readonly DeployedResource[]
  baseUrl: string
  recorder: Recorder
  transcoder: Transcoder
  /** Invocations that functions asked for. */
  invoker: Invoker
  functions: FunctionFleet
  /** A resource by its logical id without CDK's hash: `StorageTable`. */
  resource(path: string): DeployedResource
  close(): Promise<void>
}

/** @param endpoint address of the emulator, for which the environment has credentials */
export async function deploy(endpoint: string, place: Place): Promise<Deployment> {
  const { template } = synthesize(tables, { stackName: place.stackName, mailSender })
  await using opened = new AsyncDisposableStack()
  const transcoder = opened.adopt(await openTranscoder(() => resource('QueuesserviceEvents').ref), (it) => it.stop())
  const invoker = opened.adopt(await openInvoker(), (it) => it.stop())
  const suggester = opened.adopt(await openSuggester(), (it) => it.stop())
  const addressOf: Parameters<typeof record>[0] = ({ url, headers }) => {
    if (url.startsWith('/2017-08-29/')) return transcoder.url
    if (INVOCATION.test(url)) return invoker.url
    return String(headers['x-amz-target']).startsWith('RekognitionService.') ? suggester.url : endpoint
  }
  const recorder = opened.adopt(record(addressOf, place), (it) => it.close())
  // Within the project, because what is left out of a bundle (sharp, ExifTool) is looked for from there.
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  const folder = opened.adopt(await mkdtemp(join(projectRoot, 'dist/permissions-')), (it) => rm(it, { recursive: true, force: true }))
  const bundles = await bundle(entriesOf(tables, projectRoot, defaultSettings), projectRoot, folder)
  await packageConsole(bundles)
  for (const key of searchingFunctions) {
    const path = join(bundles.directory(key), 'index.mjs')
    await writeFile(path, withOwnSearchFolder(await readFile(path, 'utf8'), join(folder, 'search', key)))
  }
  const functions = opened.adopt(new FunctionFleet({ endpoint, recorder }, bundles, place), (it) => it.stop())

  const made = await makeResources(deployedResources(template, place), mailSender)
  // What custom resources tell is in the environment of the other functions.
  const told = await makeCustomResources(deployedResources(template, place, made), functions)
  const resources = deployedResources(template, place, { ...made, ...told.resources })
  const resource = (path: string) => {
    const found = resources.find(({ id }) => id.slice(0, -HASH_LENGTH) === path)
    if (!found) throw new Error(`the template has no ${path}`)
    return found
  }
  for (const lambda of resources.filter(isLambda)) if (!told.makers.has(lambda.id)) await functions.launch(lambda)

  const listening = { host: '127.0.0.1', port: 0, brand: defaultSettings.brand, overTls: false, limits: CLIENT_LIMITS }
  const http = opened.adopt(await listen(listening), (it) => it.close(0))
  serve(http, functions)
  const all = opened.move()
  return {
    resources,
    baseUrl: `http://127.0.0.1:${http.port}`,
    recorder,
    transcoder,
    invoker,
    functions,
    resource,
    close: () => all.disposeAsync(),
  }
}

const isLambda = ({ type }: DeployedResource) => type === 'AWS::Lambda::Function'

/** Does what CloudFormation does when it creates a stack. @returns what became of them, and the ids of the functions that made them */
async function makeCustomResources(resources: readonly DeployedResource[], functions: FunctionFleet) {
  const custom = resources.filter(({ type }) => type.startsWith('Custom::'))
  const made: Record<string, Physical> = {}
  const makers = new Set<string>()
  for (const lambda of resources.filter(isLambda)) {
    const own = custom.filter(({ properties }) => properties.ServiceToken === lambda.attributes.Arn)
    if (own.length === 0) continue
    const maker = await functions.launch(lambda)
    makers.add(lambda.id)
    for (const each of own) made[each.id] = { ref: each.id, ...(await customResourceRequest(maker, 'Create', each)) }
  }
  return { resources: made, makers }
}

/** Does what API Gateway does. */
function serve(http: HttpServer, functions: FunctionFleet): void {
  const keys = new Map<Endpoint, string>(
    Object.entries<Endpoint>(endpoints).map(([key, declared]) => [declared, declared.answeredBy ?? key]),
  )
  const handlerOf = (key: string) => (event: unknown) => functions.get(key).invoke(event)
  const settings = { ...defaultSettings, playerUrl: '', cdnUrl: '' }
  const destinationOf = router(endpoints, settings, (declared) => handlerOf(keys.get(declared)!), handlerOf(fallbackName))
  http.serve(apiListener(destinationOf, { settings, clock: systemClock, log: jsonLog(() => undefined) }))
}
