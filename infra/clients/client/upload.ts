import type { Calls } from './calls.ts'
import { uploadByForm } from './upload-form.ts'
import { partCallsTo, uploadInParts } from './upload-parts.ts'
import { isInParts, targetOf, type UploadOptions, type UploadSource } from './upload-source.ts'

/** Uploads a file: by a form, or in parts. @returns the file's id @throws MediaLibraryError, the signal's reason */
export function upload(
  calls: Pick<Calls, 'get' | 'post'>,
  source: UploadSource & { name: string },
  options: UploadOptions,
  tries: number,
): Promise<number> {
  return isInParts(source.size)
    ? uploadInParts(partCallsTo(targetOf(options), calls), source, options, tries)
    : uploadByForm(calls, source, options, tries)
}
