import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../shared/backends/clock/port.ts'
import { isDiskFull } from '../../shared/backends/disk/full-disk.ts'
import { embeddedLayout } from '../../shared/backends/disk/layout.ts'
import type { Kernel } from '../../shared/http/protocol/exchange.ts'
import type { Log } from '../../shared/log/log.ts'
import { openEmbeddedBackend } from './backend/embedded-backend.ts'
import { librarySummary } from './backend/summary.ts'
import { BackupSchedule } from './backup/schedule.ts'
import { explainFailure } from './data-folder/failure.ts'
import { provideGenericThumbnail } from './data-folder/generic-thumbnail.ts'
import { lockData } from './data-folder/lock.ts'
import { prepareDataFolder } from './data-folder/prepare.ts'
import { keepAddress } from './data-folder/server-address.ts'
import { openLinkHost } from './delivery/links/link-host.ts'
import { atPort, listenForShown, sharesOrigin } from './delivery/own-port.ts'
import { formerCdnUrls } from './delivery/shown-addresses.ts'
import { ownOriginListener } from './delivery/shown-listener.ts'
import { demoFile, noteExamples, provideDemo } from './demo/demo.ts'
import { addExampleFiles, exampleNames } from './demo/example-files.ts'
import { consoleAddress, demoIntroduction, demoIntroductionForLog } from './demo/introduction.ts'
import { SignInLink } from './demo/sign-in-link.ts'
import { behindProxy, CLIENT_LIMITS, type ClientLimits } from './http/client-limits.ts'
import { listen } from './http/http-server.ts'
import { baseUrlOf, listenFailure } from './http/listen-address.ts'
import { isLocalAddress } from './http/this-machine.ts'
import { startDispatcher } from './jobs/dispatcher.ts'
import { jobKindsOf, loadEventFunctions } from './jobs/event-functions.ts'
import { openEncoder } from './jobs/transcoding/encoder.ts'
import { startTranscoding } from './jobs/transcoding/transcoding.ts'
import type { WorkerSetup } from './jobs/worker-protocol.ts'
import { tellOperator } from './mail/operator.ts'
import { mailPath } from './mail/pages.ts'
import { Measures, stateText } from './metrics.ts'
import { serviceListener } from './service-listener.ts'
import { type ServerSettings, settingsAt } from './settings.ts'

/** A server that runs. */
export interface RunningServer {
  /** For temporary files, on the disk of the data; emptied at every start. */
  temporaryDirectory: string
  baseUrl: string
  /** Takes no more requests, gives running requests and jobs `graceMs` milliseconds to finish, and closes everything. */
  stop(graceMs: number): Promise<void>
}

export interface ServerSurroundings {
  log: Log
  /** Writes a text for the operator: how to sign in to the demo, what the data folder holds. */
  say(text: string): void
  /** Whether such texts go to a terminal, and not into a log that is kept. */
  isTerminal: boolean
  clock?: Clock
  limits?: ClientLimits
}

/**
 * Starts the whole service on one machine: API, uploads, deliveries, background work.
 * @throws Error that tells the operator what to do when the data folder or the port is taken or can't be used
 */
export async function startServer(settings: ServerSettings, surroundings: ServerSurroundings): Promise<RunningServer> {
  try {
    return await start(settings, surroundings)
  } catch (error) {
    throw explainFailure(error, settings.dataDirectory)
  }
}

async function start(settings: ServerSettings, surroundings: ServerSurroundings): Promise<RunningServer> {
  const { log, say, isTerminal, clock = systemClock, limits: given = CLIENT_LIMITS } = surroundings
  const { host, port, dataDirectory, mailSender, mailUrl, keywordsUrl } = settings
  const { brand } = settings.service
  const hasProxy = settings.publicUrl !== undefined
  const limits = hasProxy ? behindProxy(given) : given
  await using opened = new AsyncDisposableStack()
  prepareDataFolder(dataDirectory)
  opened.defer(lockData(dataDirectory))
  const overTls = settings.publicUrl?.startsWith('https:') ?? false
  const backups = settings.backups && new BackupSchedule({ ...settings.backups, dataDirectory, clock, log })
  const http = await listen({ host, port, brand, overTls, limits }).catch((error) => {
    throw listenFailure(error, settings)
  })
  opened.adopt(http, () => http.close(0))
  const baseUrl = baseUrlOf(settings, http.port)
  await keepAddress(dataDirectory, baseUrl, hasProxy)
  const shownHttp = await listenForShown(settings, { baseUrl, say, to: { host, brand, overTls, limits } })
  if (shownHttp) opened.adopt(shownHttp, () => shownHttp.close(0))
  const service = settingsAt(shownHttp ? atPort(baseUrl, shownHttp.port) : baseUrl, settings.service)
  const stock = settings.stockProvider && { ...settings.stockProvider, log }
  const keywords = keywordsUrl === undefined ? undefined : { baseUrl: keywordsUrl, log }
  const moreProblems = backups && (() => backups.problems())
  const { webhooks, openId } = settings
  const options = { directory: dataDirectory, baseUrl, mailSender, mailUrl, stock, keywords, webhooks, openId, moreProblems, clock }
  const backend = await openEmbeddedBackend(options)
  const embedded = opened.adopt(backend, ({ close }) => close())

  const functions = await loadEventFunctions()
  const kinds = jobKindsOf(functions)
  const summary = await librarySummary(embedded, kinds)
  if (summary) say(`${dataDirectory}: ${summary}`)
  else if (!settings.demo) say('There is no company yet. Make the first one with: npm run --silent admin -- company create --name NAME')
  const secrets = embedded.backend.apiSecretsKey
  const mailRoot = mailPath(embedded.mailSecret)
  const addresses = { baseUrl, cdnUrl: service.cdnUrl, playerUrl: service.playerUrl, mailUrl: baseUrl + mailRoot }
  const hasSuggester = keywords !== undefined
  const examples = isTerminal && !hasProxy ? exampleNames : []
  const demo = { table: embedded.table, apiSecretsKey: secrets, clock, log, directory: dataDirectory, hasSuggester, examples, addresses }
  const made = settings.demo ? await provideDemo(demo) : undefined
  const signIn =
    made && isTerminal && isLocalAddress(baseUrl) ? new SignInLink({ table: embedded.table, clock }, made.demo.user_id) : undefined
  if (made?.isNew) {
    const file = demoFile(dataDirectory)
    say(isTerminal ? demoIntroduction(made.demo, brand, file, signIn?.path) : demoIntroductionForLog(file))
  } else if (summary && isTerminal) say(consoleAddress(baseUrl, signIn?.path))
  await provideGenericThumbnail(embedded.media)

  const measures = new Measures(clock)
  const kernel: Kernel = {
    settings: service,
    clock,
    log: measures.measuring(log),
    baseUrl,
    isDiskFull: (more) => isDiskFull(dataDirectory, more),
  }
  const cache = { directory: embeddedLayout(dataDirectory).linkPictures, maxBytes: settings.linkCacheBytes }
  const temporaryDirectory = emptyFolder(join(dataDirectory, 'temporary'))
  const links = opened.adopt(
    openLinkHost({ rendering: embedded.backend, cdnUrl: service.cdnUrl, temporaryDirectory, cache, clock, log }),
    ({ close }) => close(),
  )
  const mail = {
    root: mailRoot,
    folder: embeddedLayout(dataDirectory).mail,
    mailServer: mailUrl === undefined ? undefined : new URL(mailUrl).host,
  }
  const shown = {
    links,
    formerCdnUrls: formerCdnUrls(baseUrl, settings.formerCdnUrls),
    behindProxy: hasProxy,
    isAlwaysElsewhere: shownHttp !== undefined,
  }
  if (sharesOrigin(service, baseUrl)) log.warn('links or player share the address of the API: set CDN_URL and PLAYER_URL')
  const state = { ...embedded, dataDirectory, kinds, clock, lastBackup: () => backups?.lastMade }
  const metrics = { token: settings.metricsToken, text: async () => (await measures.text()) + (await stateText(state)) }
  http.serve(serviceListener(embedded, kernel, { limits, mail, shown, metrics, signIn }))
  shownHttp?.serve(ownOriginListener(kernel, shown))
  const { logFormat = 'json' } = settings
  const setup: WorkerSetup = { dataDirectory, temporaryDirectory, baseUrl, mailSender, logFormat, settings: service }
  const measured = measures.measuredRun.bind(measures)
  const dispatcher = startDispatcher(embedded, functions, { context: { clock, settings: service, log }, setup, measured })
  const runningBackups = backups?.start(tellOperator({ mail: embedded.backend.mail, to: settings.mailOperator, brand, log }))
  const transcoding = startTranscoding(embedded, { encode: openEncoder(), clock, log, temporaryDirectory })
  if (made && made.missingExamples.length > 0) {
    const note = (names: readonly string[]) => noteExamples(embedded, names)
    const client = { baseUrl, brand, vendor: service.vendor, demo: made.demo }
    addExampleFiles({ ...client, temporaryDirectory, missing: made.missingExamples, note }).catch((error) =>
      log.warn('the demo got no example files', { error }),
    )
  }

  const resources = opened.move()
  return {
    baseUrl,
    temporaryDirectory,
    async stop(graceMs) {
      await Promise.all([
        http.close(graceMs),
        shownHttp?.close(graceMs),
        dispatcher.stop(graceMs),
        transcoding.stop(),
        runningBackups?.stop(),
      ])
      await resources.disposeAsync()
    },
  }
}

/** Makes an empty folder. Files of jobs that died with a former server are deleted. */
function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { mode: 0o700 })
  return path
}
