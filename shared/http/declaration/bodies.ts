import type { Invalid } from '../../library/errors.ts'
import type { BytesBody } from './endpoint.ts'

/** A file that is the whole body of a request. */
export interface RawFile {
  bytes: Buffer
  /** What `Content-Type` says: in lower case, without parameters; empty where there is none. */
  mediaType: string
}

/**
 * Declares that the body is a file. Files of other types are taken, too: clients that send bytes call them what they like, so the handler looks
 * at the bytes.
 * @param maxBytes at most 4.5 MiB: a function's request holds no more in base64
 * @param mediaTypes of the files, for the API document
 */
export function raw({ maxBytes, mediaTypes }: Pick<BytesBody, 'maxBytes' | 'mediaTypes'>): BytesBody<RawFile> {
  return {
    maxBytes,
    mediaTypes,
    async read(contentType = '', bytes) {
      const [type = ''] = contentType.split(';')
      return { bytes, mediaType: type.trim().toLowerCase() }
    },
  }
}

const MEDIA_TYPE = 'application/x-www-form-urlencoded'

/**
 * Declares that the body is a form with one text field, as protocols of others have it.
 * @param field its name; other fields are ignored
 * @param maxBytes of the whole form
 * @param refusal thrown where the body is another one
 */
export function formField(field: string, maxBytes: number, refusal: (message: string) => Invalid): BytesBody<string> {
  return {
    maxBytes,
    mediaTypes: [MEDIA_TYPE],
    schema: { type: 'object', required: [field], properties: { [field]: { type: 'string', minLength: 1 } } },
    async read(contentType = '', bytes) {
      const [type = ''] = contentType.split(';')
      const values = type.trim().toLowerCase() === MEDIA_TYPE ? new URLSearchParams(bytes.toString()).getAll(field) : []
      const [value] = values
      if (!value || values.length > 1) throw refusal(`The body must be a form (${MEDIA_TYPE}) with ${field}, once.`)
      return value
    },
  }
}
