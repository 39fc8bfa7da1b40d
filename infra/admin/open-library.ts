import type { Clock } from '../../shared/backends/clock/port.ts'
import type { Mail } from '../../shared/backends/mail/port.ts'
import type { ObjectReader, Objects } from '../../shared/backends/objects/port.ts'
import type { OpenIdProviders } from '../../shared/backends/openid/port.ts'
import type { SearchIndexAdmin } from '../../shared/backends/search/port.ts'
import type { Secrets } from '../../shared/backends/secrets/port.ts'
import type { Table, TableScanner } from '../../shared/backends/table/port.ts'
import type { KeyKind, Surroundings } from './key-rotation/rotate-key.ts'

/** The part of a library that the operator's commands work on. */
export interface OpenLibrary {
  /** The data folder, where this command made the library in it. */
  madeIn?: string
  table: Table
  scanner: TableScanner
  /** Opens the `uploads` bucket, to store what is to be imported. */
  openUploads(): Promise<Pick<Objects, 'put'>>
  /** Opens the `media` bucket, which few commands need. */
  openMedia(): Promise<ObjectReader & Pick<Objects, 'delete'>>
  /** The same of the `public` bucket. */
  openPublicFiles(): Promise<ObjectReader>
  /** What sends e-mails, and its name for the operator. @throws Error in a sentence */
  openMail(): Promise<{ mail: Mail; name: string }>
  /** The index of the search engine OpenSearch. @throws Error in a sentence where there is none */
  openSearchIndex(): Promise<SearchIndexAdmin>
  /** How providers of sign-on are asked from here, and the address of the API. @throws Error in a sentence */
  openSignOn(): Promise<{ openId: OpenIdProviders; baseUrl: string; http: boolean }>
  apiSecretsKey: Secrets<'apiSecretsKey'>
  /** Rotates a key of the deployment. @throws Error in a sentence */
  rotateKey(kind: KeyKind, surroundings: Surroundings): Promise<void>
  clock: Clock
  /** What an error of a command says about the library itself: a full disk, a folder of another user. Other errors stay as they are. */
  explain(error: unknown): unknown
  close(): void
}
