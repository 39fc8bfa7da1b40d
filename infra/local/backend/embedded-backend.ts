import { hkdfSync } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import { makeFolder } from '../../../shared/backends/disk/make-folder.ts'
import { type DeliverySource, embeddedUrls, embeddedVerifyingKeys } from '../../../shared/backends/edge/embedded.ts'
import { embeddedEdgeCache } from '../../../shared/backends/edge-cache/embedded.ts'
import { embeddedHealth } from '../../../shared/backends/health/embedded.ts'
import { lastLook } from '../../../shared/backends/health/last-look.ts'
import type { HealthProblem } from '../../../shared/backends/health/port.ts'
import { noSuggester } from '../../../shared/backends/keywords/none.ts'
import type { KeywordSuggester } from '../../../shared/backends/keywords/port.ts'
import type { Mail } from '../../../shared/backends/mail/port.ts'
import { type EmbeddedObjects, openEmbeddedObjects } from '../../../shared/backends/objects/embedded.ts'
import { embeddedPartRequests } from '../../../shared/backends/objects/embedded-part-url.ts'
import { type EmbeddedUploads, embeddedUploadForms } from '../../../shared/backends/objects/embedded-upload-form.ts'
import type { OpenIdOptions } from '../../../shared/backends/openid/client.ts'
import type { OpenIdProviders } from '../../../shared/backends/openid/port.ts'
import type { SearchEngine } from '../../../shared/backends/search/port.ts'
import { noIndexWriter } from '../../../shared/backends/search/snapshots/port.ts'
import { openEmbeddedSecrets } from '../../../shared/backends/secrets/embedded.ts'
import { type Secrets, validValues } from '../../../shared/backends/secrets/port.ts'
import type { StockLibrary } from '../../../shared/backends/stock/port.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../../shared/backends/table/embedded.ts'
import type { Transcoder } from '../../../shared/backends/transcoder/port.ts'
import { type EmbeddedWaker, embeddedWaker } from '../../../shared/backends/waker/embedded.ts'
import { openWebhookTargets, type TargetOptions } from '../../../shared/backends/webhooks/http.ts'
import { countFailed } from '../../../shared/library/jobs/operator.ts'
import { pictureUrl } from '../../../shared/library/media/delivery.ts'
import { catalogueDownloads } from '../../../shared/library/stock/catalogue-download.ts'
import { catalogueItems, catalogueThumbnails } from '../../../shared/library/stock/catalogue-item.ts'
import { catalogueSearch } from '../../../shared/library/stock/catalogue-search.ts'
import { countFailing } from '../../../shared/library/webhooks/health.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { Backend } from '../../../shared/resources.ts'
import { openLinkPicturePool } from '../../../shared/tools/imaging/link-picture-process.ts'
import type { MasterMaker } from '../../../shared/tools/imaging/master.ts'
import { openProfileImageMaker } from '../../../shared/tools/imaging/profile-image-process.ts'
import type { Renderer } from '../../../shared/tools/imaging/render.ts'
import type { ThumbHasher } from '../../../shared/tools/imaging/thumbhash.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import type { Tool } from '../../../shared/tools/tool.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { stateFormat } from '../data-folder/format.ts'
import type { StockProviderSettings } from '../settings.ts'
import { embeddedTranscoder } from './embedded-transcoder.ts'
import { openMail } from './open-mail.ts'

/** Path below which signed URLs deliver media. */
export const MEDIA_PATH = '/-/media'

/** Path of the address that takes parts of uploads. */
export const PARTS_PATH = '/-/uploads/parts'

/** The whole backend in one directory: the ports for functions, and what the server needs besides. */
export interface EmbeddedBackend {
  backend: Backend
  table: EmbeddedTable
  transcoder: Transcoder
  waker: EmbeddedWaker
  uploads: EmbeddedObjects
  media: EmbeddedObjects
  publicFiles: EmbeddedObjects
  /** Settings shared by the receiver and the maker of upload forms. */
  uploadForms: EmbeddedUploads
  /** Delivers the objects of signed URLs. */
  delivery: DeliverySource
  /** Secret part of the path of e-mail pages, valid while this is open. */
  mailSecret: string
  close(): Promise<void>
}

/**
 * Opens the embedded backend: SQLite and files, durable, good for one machine. Several processes may have it open at once.
 * @param options.directory made, for its owner only, when it isn't there
 * @param options.baseUrl address of the server that takes upload forms (`/-/uploads`) and delivers media
 * @param options.mailSender `From` of e-mails
 * @param options.mailUrl mail server that sends them; without one they are written into the directory
 * @param options.stock provider of the stock library; defaults to the catalogue
 * @param options.moreProblems the server's own health problems
 * @param options.keywords service that suggests keywords; without one none are suggested. Only the server needs it, because light jobs run there
 * @param options.webhooks allowed addresses of webhooks besides public servers by https. Only the server needs it
 * @param options.openId allowed providers of sign-on besides public ones by TLS
 */
export async function openEmbeddedBackend(options: {
  directory: string
  baseUrl: string
  mailSender: string
  mailUrl?: string | undefined
  stock?: (StockProviderSettings & { log: Log }) | undefined
  keywords?: { baseUrl: string; log: Log } | undefined
  webhooks?: TargetOptions | undefined
  openId?: Omit<OpenIdOptions, 'clock'> | undefined
  moreProblems?: (() => HealthProblem[]) | undefined
  clock: Clock
}): Promise<EmbeddedBackend> {
  const { directory, baseUrl, mailSender, mailUrl, stock: provider, keywords, webhooks, openId, moreProblems, clock } = options
  makeFolder(directory)
  await stateFormat(directory)
  const paths = embeddedLayout(directory)
  const secrets = openEmbeddedSecrets(paths.secrets)
  const table = openEmbeddedTable(paths.table)
  const transcoder = embeddedTranscoder({ table, clock })
  const waker = embeddedWaker()
  const uploads = openEmbeddedObjects(paths.uploads, clock)
  const media = openEmbeddedObjects(paths.media, clock)
  const publicFiles = openEmbeddedObjects(paths.public, clock)
  const formSecrets = () => derivedSecrets(secrets, 'embedded upload forms', 'hex')
  const uploadForms: EmbeddedUploads = { bucket: 'uploads', secrets: formSecrets, clock }
  const delivery: DeliverySource = { objects: media, path: MEDIA_PATH, keys: embeddedVerifyingKeys(secrets), clock }
  const [mailSecret] = await derivedSecrets(secrets, 'pages of e-mails', 'base64url')
  const { close: closeTools, ...tools } = openTools()
  let opened: ReturnType<typeof openSearch> | undefined
  let mail: Promise<Mail> | undefined

  /** Loaded on demand: many processes never search or mail. */
  async function openSearch() {
    const { openSearch: open } = await import('../search/open-search.ts')
    return open({ directory: paths.search, table: paths.table }, { table, clock })
  }
  function search() {
    opened ??= openSearch()
    return opened
  }

  const searchEngine: SearchEngine = {
    async search(companyId, query) {
      return (await search()).search(companyId, query)
    },
    async countFiles(companyId, folders) {
      return (await search()).countFiles(companyId, folders)
    },
    async suggest(companyId, query) {
      return (await search()).suggest(companyId, query)
    },
  }
  const urls = embeddedUrls({ origin: baseUrl, path: MEDIA_PATH, secrets })

  const catalogue = (): StockLibrary => ({
    ...catalogueItems({ table }),
    ...catalogueThumbnails({ urls, clock }),
    ...catalogueSearch({ table, search: searchEngine }),
    ...catalogueDownloads({ table, clock, media, exiftool: tools.exiftool, urls }),
  })
  /** Loaded where there is one. */
  async function openProvider({ key, ...options }: StockProviderSettings & { log: Log }): Promise<StockLibrary> {
    const [{ stockProvider }, { providedThumbnails }] = await Promise.all([
      import('../../../shared/backends/stock/provider.ts'),
      import('../../../shared/backends/stock/provider-item.ts'),
    ])
    const given = { ...options, ...(key !== undefined && { key: async () => key }), clock }
    return { ...stockProvider(given), ...providedThumbnails(() => pictureUrl({ urls, clock })) }
  }
  /** As the provider. */
  async function openSuggester(service: { baseUrl: string; log: Log }): Promise<KeywordSuggester> {
    const { keywordsEndpoint } = await import('../../../shared/backends/keywords/endpoint.ts')
    return keywordsEndpoint({ ...service, media })
  }

  const backend: Backend = {
    table,
    sessions: table,
    // The bucket itself, not a copy of it: buckets copy objects among themselves by linking files.
    uploads: Object.assign(uploads, embeddedUploadForms({ ...uploadForms, actionUrl: `${baseUrl}/-/uploads` })),
    partUploads: Object.assign(uploads, embeddedPartRequests({ ...uploadForms, partsUrl: `${baseUrl}${PARTS_PATH}` })),
    media,
    publicFiles,
    profileImages: media,
    logos: media,
    search: searchEngine,
    // Nothing to do: the engine reads the changes itself.
    searchIndexer: { index: async () => [] },
    snapshotFiles: media,
    snapshotJobs: table,
    indexWriter: noIndexWriter,
    stock: provider ? await openProvider(provider) : catalogue(),
    waker,
    mail: {
      async send(email) {
        mail ??= openMail({ mailSender, mailUrl, folder: paths.mail, clock })
        await (await mail).send(email)
      },
    },
    webhookTargets: openWebhookTargets({ ...webhooks, clock }),
    urls,
    edgeCache: embeddedEdgeCache(),
    transcoder,
    keywords: keywords ? await openSuggester(keywords) : noSuggester,
    health: lastLook(
      embeddedHealth({
        directory,
        table,
        failedJobs: countFailed,
        failingWebhooks: (read) => countFailing({ ...read, clock }),
        moreProblems,
      }),
      clock,
    ),
    apiSecretsKey: secrets,
    openId: openIdProviders({ clock, ...openId }),
    ...tools,
  }
  return {
    backend,
    table,
    transcoder,
    waker,
    uploads,
    media,
    publicFiles,
    uploadForms,
    delivery,
    mailSecret,
    async close() {
      await (await opened)?.close()
      await closeTools()
      uploads.close()
      media.close()
      publicFiles.close()
      table.close()
    },
  }
}

/** Loaded at the first sign-on. */
function openIdProviders(options: OpenIdOptions): OpenIdProviders {
  let opened: Promise<OpenIdProviders> | undefined
  const open = () => {
    opened ??= import('../../../shared/backends/openid/client.ts').then(({ openIdClient }) => openIdClient(options))
    return opened
  }
  return {
    startUrl: async (...asked) => (await open()).startUrl(...asked),
    finish: async (...asked) => (await open()).finish(...asked),
    readLogout: async (...asked) => (await open()).readLogout(...asked),
    test: async (...asked) => (await open()).test(...asked),
  }
}

/** Longest queue of link pictures for a process. */
const WAITING_LINK_PICTURES = 100

/** Tools start their processes on first use. */
function openTools(): Pick<Backend, Tool> & { close(): Promise<void> } {
  const exiftool = createExifTool()
  const linkPictures = openLinkPicturePool({ size: availableParallelism(), waiting: WAITING_LINK_PICTURES })
  let renderer: Promise<Renderer> | undefined
  let masterMaker: Promise<MasterMaker> | undefined
  let thumbHasher: Promise<ThumbHasher> | undefined
  return {
    exiftool,
    /** Loaded on demand, because of a large library. */
    async renderer(...image) {
      renderer ??= import('../../../shared/tools/imaging/render.ts').then(({ createRenderer }) => createRenderer(exiftool))
      return (await renderer)(...image)
    },
    profileImageMaker: openProfileImageMaker(),
    linkRenderer: linkPictures.render,
    /** As the renderer. */
    async masterMaker(...image) {
      masterMaker ??= import('../../../shared/tools/imaging/master.ts').then(({ createMasterMaker }) => createMasterMaker(exiftool))
      return (await masterMaker)(...image)
    },
    /** As the renderer. */
    async thumbHasher(picture) {
      thumbHasher ??= import('../../../shared/tools/imaging/thumbhash.ts').then(({ createThumbHasher }) => createThumbHasher())
      return (await thumbHasher)(picture)
    },
    videoProbe: createVideoProbe(),
    async close() {
      await Promise.all([exiftool.close(), linkPictures.close()])
    },
  }
}

/** Derives secrets for one purpose from the stored ones (RFC 5869): one per valid value, the current one first. */
async function derivedSecrets(
  secrets: Secrets<'apiSecretsKey'>,
  purpose: string,
  encoding: 'hex' | 'base64url',
): Promise<[string, ...string[]]> {
  const derive = (value: string) => Buffer.from(hkdfSync('sha256', Buffer.from(value, 'base64'), '', purpose, 32)).toString(encoding)
  const [current, ...others] = validValues(await secrets.get('apiSecretsKey'))
  return [derive(current), ...others.map(derive)]
}
