import type { UrlSigner } from './backends/edge/port.ts'
import type { EdgeCache } from './backends/edge-cache/port.ts'
import type { Health } from './backends/health/port.ts'
import type { KeywordSuggester } from './backends/keywords/port.ts'
import type { Mail } from './backends/mail/port.ts'
import type {
  ConsumedObjects,
  FetchedObjects,
  KnownObjects,
  ObjectReader,
  Objects,
  PartUploads,
  PublishedObjects,
  StreamObjects,
  SweptObjects,
  UploadForms,
} from './backends/objects/port.ts'
import type { OpenIdProviders } from './backends/openid/port.ts'
import type { SearchEngine, SearchIndexer } from './backends/search/port.ts'
import type { IndexWriter } from './backends/search/snapshots/port.ts'
import type { Secrets } from './backends/secrets/port.ts'
import type { StockLibrary, StockSizes } from './backends/stock/port.ts'
import type { Table, TableReader } from './backends/table/port.ts'
import type { Transcoder } from './backends/transcoder/port.ts'
import type { Waker } from './backends/waker/port.ts'
import type { WebhookTargets } from './backends/webhooks/port.ts'
import type { SessionTable } from './library/accounts/sessions.ts'
import type { SnapshotJobs } from './library/index-snapshots/job.ts'
import type { LinkRenderer } from './tools/imaging/link-picture.ts'
import type { MasterMaker } from './tools/imaging/master.ts'
import type { ProfileImageMaker } from './tools/imaging/profile-image-process.ts'
import type { Renderer } from './tools/imaging/render.ts'
import type { ThumbHasher } from './tools/imaging/thumbhash.ts'
import type { ExifTool } from './tools/metadata/exiftool.ts'
import type { Tool } from './tools/tool.ts'
import type { VideoProbe } from './tools/video/probe.ts'

/**
 * All ports and tools that a function may use, by name, with the kinds of use. A function declares `uses: { table: 'read', media: 'write'
 * }`; that line decides the type of what its handler receives, its IAM policy and environment (infra/aws/grants.ts), and the contents of
 * its bundle.
 */
export interface Resources extends Record<Tool, { use: unknown }> {
  /**
   * Every record of the service. `…ByChecksum` also reads the index of files by MD5, `…ByFolder` that of pointers by folder, `…ByDue` that
   * of records by the time they are due, `…ByFeed` the feed of changed files.
   */
  table: {
    read: TableReader
    readByChecksum: TableReader
    writeByChecksum: Table
    readByDue: TableReader
    write: Table
    writeByFolder: Table
    writeByDue: Table
    writeByFeed: Table
  }
  /** Records the last use of a session. The kernel uses it for endpoints that write nothing else. */
  sessions: { use: SessionTable }
  /**
   * Uploaded files before their import. Only clients write them, with forms or URLs of parts. `receive`: make forms, and read what was
   * posted.
   */
  uploads: {
    read: ObjectReader
    consume: ConsumedObjects
    remove: Pick<Objects, 'delete'>
    sweep: SweptObjects
    form: UploadForms
    receive: UploadForms & ObjectReader
  }
  /**
   * Multipart uploads to the bucket of uploads. `sign`: make URLs of parts. `joinOrEnd`: join parts, or abort the upload. `end`: abort uploads. `sweep`:
   * abort abandoned ones. `manage`: all of it.
   */
  partUploads: {
    begin: Pick<PartUploads, 'beginParts' | 'abortParts'>
    sign: Pick<PartUploads, 'partRequest'>
    read: Pick<PartUploads, 'receivedParts'>
    join: Pick<PartUploads, 'isArriving' | 'receivedParts' | 'joinParts' | 'maxComparedBytes'>
    joinOrEnd: Pick<PartUploads, 'isArriving' | 'receivedParts' | 'joinParts' | 'maxComparedBytes' | 'abortParts'>
    end: Pick<PartUploads, 'abortParts'>
    sweep: Pick<PartUploads, 'abortParts' | 'receivedParts'>
    manage: PartUploads
  }
  /** Originals and everything derived from them. `subtitles`: store only subtitles. */
  media: { read: FetchedObjects; write: Objects; subtitles: Pick<Objects, 'put'> }
  /** The objects of links and streams, which everybody who knows the URL may fetch. `streams`: only the objects of streams. */
  publicFiles: {
    read: KnownObjects
    write: PublishedObjects
    streams: StreamObjects
    store: Pick<Objects, 'put' | 'putFile' | 'delete'>
    sweep: SweptObjects
  }
  /** The objects of `media` that are users' profile images. */
  profileImages: { read: ObjectReader; write: Pick<Objects, 'put' | 'delete'> }
  /** The objects of `media` that are logos of companies. */
  logos: { write: Pick<Objects, 'put' | 'delete'> }
  /** Finds media. */
  search: { read: SearchEngine }
  /** Sends changes to a search engine that doesn't read them itself. */
  searchIndexer: { write: SearchIndexer }
  /** The objects of `media` that are snapshots of search indexes. */
  snapshotFiles: { read: Pick<ObjectReader, 'get'>; write: Pick<Objects, 'get' | 'list' | 'put' | 'delete'> }
  /** Asks for jobs that make snapshots of search indexes. */
  snapshotJobs: { ask: SnapshotJobs }
  /** Makes index files. */
  indexWriter: { use: IndexWriter }
  /**
   * The stock library. `read`: items. `search`: find items and show them. `preview`: show an item. `download`: download items. `sizes`:
   * download sizes of items.
   */
  stock: {
    read: Pick<StockLibrary, 'item'>
    search: Pick<StockLibrary, 'search' | 'thumbnail'>
    preview: Pick<StockLibrary, 'item' | 'thumbnail'>
    download: Pick<StockLibrary, 'download'>
    sizes: StockSizes
  }
  /** Starts runs of jobs. */
  waker: { wake: Waker }
  /** Outgoing e-mail. */
  mail: { send: Mail }
  /** Addresses that clients register for webhooks. `check`: whether an address is allowed. `send`: post to one. */
  webhookTargets: { check: Pick<WebhookTargets, 'refusal'>; send: WebhookTargets }
  /** Signed delivery URLs of objects in `media`. */
  urls: { sign: UrlSigner }
  /** Copies of links in the caches of edges. */
  edgeCache: { invalidate: EdgeCache }
  /** Makes previews and streams of videos. */
  transcoder: { start: Transcoder }
  /** Suggests keywords for pictures in `media`. */
  keywords: { suggest: KeywordSuggester }
  /** Whether the service works. */
  health: { read: Health }
  /** Key that encrypts API secrets at rest. */
  apiSecretsKey: { read: Secrets<'apiSecretsKey'> }
  /** Signs people on at providers of OpenID Connect. */
  openId: { use: OpenIdProviders }
  /** Reads and writes embedded metadata. */
  exiftool: { use: ExifTool }
  /** Renders the sizes of images. */
  renderer: { use: Renderer }
  /** Makes profile images from pictures. */
  profileImageMaker: { use: ProfileImageMaker }
  /** Renders the pictures of links. */
  linkRenderer: { use: LinkRenderer }
  /** Makes the masters that pictures of links are rendered from. */
  masterMaker: { use: MasterMaker }
  /** Makes ThumbHashes of pictures. */
  thumbHasher: { use: ThumbHasher }
  /** Reads facts about tracks from the containers of films. */
  videoProbe: { use: VideoProbe }
}

/** The resources that a function declares. */
export type Uses = { readonly [Name in keyof Resources]?: keyof Resources[Name] }

/** The resources that a function receives which declares `U`. */
export type Granted<U extends Uses> = {
  [Name in keyof U & keyof Resources]: U[Name] extends keyof Resources[Name] ? Resources[Name][U[Name]] : never
}

type Intersection<Union> = (Union extends unknown ? (_: Union) => void : never) extends (_: infer Both) => void ? Both : never

/** Picks the declared resources of a backend. */
export function grantedOf(uses: Uses, backend: Partial<Backend>): Partial<Backend> {
  return Object.fromEntries(Object.keys(uses).map((name) => [name, backend[name as keyof Backend]]))
}

/** A whole backend: every resource in its widest use. */
export type Backend = { [Name in keyof Resources]: Intersection<Resources[Name][keyof Resources[Name]]> }
