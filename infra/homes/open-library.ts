import type { Clock } from '../../shared/backends/clock/port.ts'
import type { Mail } from '../../shared/backends/mail/port.ts'
import type { ObjectReader, Objects } from '../../shared/backends/objects/port.ts'
import type { OpenIdProviders } from '../../shared/backends/openid/port.ts'
import type { SearchIndexAdmin } from '../../shared/backends/search/port.ts'
import type { Secrets } from '../../shared/backends/secrets/port.ts'
import type { Table, TableScanner } from '../../shared/backends/table/port.ts'
import type { CompanyRemoval } from '../../shared/library/company-removal/removal.ts'
import type { Writing } from '../../shared/library/library.ts'
import type { FailedRuns } from './failed-runs.ts'
import type { KeyKind, Surroundings } from './rotate-key.ts'

/** The parts of a library for the operator's commands. */
export interface OpenLibrary {
  /** The data folder, if this command created its library. */
  madeIn?: string
  table: Table
  scanner: TableScanner
  /** Opens the `uploads` bucket, for files to import. */
  openUploads(): Promise<Pick<Objects, 'put'>>
  /** Opens the `media` bucket, which few commands need. */
  openMedia(): Promise<ObjectReader & Pick<Objects, 'delete'>>
  /** Opens the `public` bucket. */
  openPublicFiles(): Promise<ObjectReader>
  /** The mail adapter, and its name for the operator. @throws Error in a sentence */
  openMail(): Promise<{ mail: Mail; name: string }>
  /** What the removal of a company takes besides the table. */
  openCompanyRemoval(): Promise<Omit<CompanyRemoval, keyof Writing | 'scanner' | 'log'>>
  /** Why no keywords can be suggested here, in a sentence; undefined where they can. */
  lackOfKeywords(): Promise<string | undefined>
  /** The index of the search engine OpenSearch. @throws Error in a sentence where there is none */
  openSearchIndex(): Promise<SearchIndexAdmin>
  /** What functions of a stack failed on for good. @throws Error in a sentence where the library is of one machine */
  openFailedRuns(): Promise<FailedRuns>
  /** The client for sign-on providers, and the address of the API, with a warning where that may be another. @throws Error in a sentence */
  openSignOn(): Promise<{ openId: OpenIdProviders; baseUrl: string; warning?: string; http: boolean }>
  apiSecretsKey: Secrets<'apiSecretsKey'>
  /** Rotates a key of the deployment. @throws Error in a sentence */
  rotateKey(kind: KeyKind, surroundings: Surroundings): Promise<void>
  clock: Clock
  /** Explains errors of the library itself: a full disk, a folder of another user. Returns other errors unchanged. */
  explain(error: unknown): unknown
  close(): void
}
