import type { Messages } from '../library/vocabulary/messages.ts'
import type { UrlSigner } from './edge/port.ts'
import type { Health } from './health/port.ts'
import type { Mail } from './mail/port.ts'
import type { ConsumedObjects, ObjectReader, Objects, SweptObjects, UploadForms } from './objects/port.ts'
import type { QueueSender } from './queue/port.ts'
import type { SearchEngine } from './search/port.ts'
import type { Secrets } from './secrets/port.ts'
import type { Table, TableReader } from './table/port.ts'

/**
 * Everything outside that a function may use, by name, with the ways it may use it. A function declares
 * `uses: { table: 'read', media: 'write' }`; that one line is the type of what its handler receives, its IAM policy and
 * environment (infra/grants.ts) and what its bundle contains.
 */
export interface Resources {
  /** Every record of the service. `writeByFolder` also finds pointers by the folder that holds them, `writeByDue` what is due by its time. */
  table: { read: TableReader; write: Table; writeByFolder: Table; writeByDue: Table }
  /** Files as posted, before import. Only forms put them there. */
  uploads: { read: ObjectReader; consume: ConsumedObjects; remove: Pick<Objects, 'delete'>; sweep: SweptObjects; form: UploadForms }
  /** Originals and everything derived from them. */
  media: { read: ObjectReader; write: Objects }
  /** Those objects of `media` that are users' profile images. */
  profileImages: { read: ObjectReader; write: Pick<Objects, 'put' | 'delete'> }
  /** Finds media. */
  search: { read: SearchEngine }
  /** Queue of uploads to import. */
  imports: { send: QueueSender<Messages['imports']> }
  /** Queue of deleted folders and cliques that leave something behind. */
  removals: { send: QueueSender<Messages['removals']> }
  /** Queue of e-mails to send. */
  mails: { send: QueueSender<Messages['mails']> }
  /** Outgoing e-mail. */
  mail: { send: Mail }
  /** Signed delivery URLs of objects in `media`. */
  urls: { sign: UrlSigner }
  /** Whether all this works. */
  health: { read: Health }
  /** Key that encrypts API secrets at rest. */
  apiSecretsKey: { read: Secrets<'apiSecretsKey'> }
}

/** What a function declares it uses. */
export type Uses = { readonly [Name in keyof Resources]?: keyof Resources[Name] }

/** What a function that declared `U` receives. */
export type Granted<U extends Uses> = {
  [Name in keyof U & keyof Resources]: U[Name] extends keyof Resources[Name] ? Resources[Name][U[Name]] : never
}

type Intersection<Union> = (Union extends unknown ? (_: Union) => void : never) extends (_: infer Both) => void ? Both : never

/** Of a backend, what a function declared to use and nothing else. */
export function grantedOf(uses: Uses, backend: Partial<Backend>): Partial<Backend> {
  return Object.fromEntries(Object.keys(uses).map((name) => [name, backend[name as keyof Backend]]))
}

/** A whole backend: every resource with everything that may be done with it. */
export type Backend = { [Name in keyof Resources]: Intersection<Resources[Name][keyof Resources[Name]]> }
