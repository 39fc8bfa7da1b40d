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
