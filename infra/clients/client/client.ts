/** The exports of the package. */
export type { Call, Calls } from './calls.ts'
export type { EventOptions } from './events.ts'
export type { MediaLibrary, SearchParameters } from './media-library.ts'
export { type InputProblem, MediaLibraryError } from './media-library-error.ts'
export type { Schemas } from './schemas.ts'
export { type Credentials, type Service, signIn, withSession, withToken } from './sign-in.ts'
export type { UploadOptions, UploadSource } from './upload-source.ts'
export { verifyWebhook, type WebhookHeaders, type WebhookMessage } from './verify-webhook.ts'
