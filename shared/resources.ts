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
 * All outside resources and tools that a function may use, by name, with the ways of use. A function declares `uses: { table: 'read', media: 'write' }`;
 * that line decides the type of what its handler receives, its IAM policy and environment (infra/aws/grants.ts), and the contents of its bundle.
 */
export interface Resources extends Record<Tool, { use: unknown }> {
  /** Every record of the service. `readByChecksum` and `writeByChecksum` also read the index of files by MD5, `writeByFolder` the index of pointers by folder, `writeByDue` and `readByDue` that of records by the time when they are due, `writeByFeed` the feed of changed files. */
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
  /** Notes that a session is in use. The kernel uses it for endpoints that write nothing else. */
  sessions: { use: SessionTable }
  /** Uploaded files before their import. Only forms and URLs of parts, which clients send, write them. `receive`: to make forms and to look at what was posted. */
  uploads: {
    read: ObjectReader
    consume: ConsumedObjects
    remove: Pick<Objects, 'delete'>
    sweep: SweptObjects
    form: UploadForms
    receive: UploadForms & ObjectReader
  }
  /** Uploads in parts, to the bucket of uploads. `sign`: URLs of parts. `end`: to give uploads up. `sweep`: to end those that
   * nobody goes on with. `manage`: all of it. */
  partUploads: {
    begin: Pick<PartUploads, 'beginParts' | 'abortParts'>
    sign: Pick<PartUploads, 'partRequest'>
    read: Pick<PartUploads, 'receivedParts'>
    join: Pick<PartUploads, 'isArriving' | 'receivedParts' | 'joinParts' | 'maxComparedBytes'>
    end: Pick<PartUploads, 'abortParts'>
    sweep: Pick<PartUploads, 'abortParts' | 'receivedParts'>
    manage: PartUploads
  }
  /** Originals and everything derived from them. `subtitles`: to store subtitles alone. */
  media: { read: FetchedObjects; write: Objects; subtitles: Pick<Objects, 'put'> }
  /** The objects of links and streams: everybody who knows a link or a stream may fetch them. `streams`: the objects of streams alone. */
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
  /** Tells of changes the engine that doesn't read them itself. */
  searchIndexer: { write: SearchIndexer }
  /** The objects of `media` that are snapshots of search indexes. */
  snapshotFiles: { read: Pick<ObjectReader, 'get'>; write: Pick<Objects, 'get' | 'list' | 'put' | 'delete'> }
  /** Asks for jobs that make snapshots of search indexes. */
  snapshotJobs: { ask: SnapshotJobs }
  /** Makes index files. */
  indexWriter: { use: IndexWriter }
  /** The stock library. `read`: items, `search`: to find items and show them, `preview`: to show an item, `download`: to download items, `sizes`: to download sizes of them. */
  stock: {
    read: Pick<StockLibrary, 'item'>
    search: Pick<StockLibrary, 'search' | 'thumbnail'>
    preview: Pick<StockLibrary, 'item' | 'thumbnail'>
    download: Pick<StockLibrary, 'download'>
    sizes: StockSizes
  }
  /** Queue of videos whose previews and streams are to follow their records. */
  /** Starts runs of jobs. */
  waker: { wake: Waker }
  /** Outgoing e-mail. */
  mail: { send: Mail }
  /** Addresses that clients name for webhooks. `check`: to say which may be named, `send`: to post to them. */
  webhookTargets: { check: Pick<WebhookTargets, 'refusal'>; send: WebhookTargets }
  /** Signed delivery URLs of objects in `media`. */
  urls: { sign: UrlSigner }
  /** The copies of links that edges keep. */
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
  /** Makes profile images of pictures. */
  profileImageMaker: { use: ProfileImageMaker }
  /** Renders the pictures of links. */
  linkRenderer: { use: LinkRenderer }
  /** Makes what the pictures of links are rendered from. */
  masterMaker: { use: MasterMaker }
  /** Makes ThumbHashes of pictures. */
  thumbHasher: { use: ThumbHasher }
  /** Reads what the containers of films say of their tracks. */
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
