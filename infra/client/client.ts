/** What programs import of the package. */
export type { Call, Calls } from './calls.ts'
export type { MediaLibrary, Schemas, SearchParameters } from './media-library.ts'
export { type InputProblem, MediaLibraryError } from './media-library-error.ts'
export { type Credentials, type Service, signIn, withSession, withToken } from './sign-in.ts'
export type { UploadOptions, UploadSource } from './upload-source.ts'
