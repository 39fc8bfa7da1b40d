import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { Invalid, TooLarge } from '../../library/errors.ts'
import type { BytesBody } from './endpoint.ts'

/** Most parts of a form that are read to find the file. */
const MAX_PARTS = 20

/**
 * Declares that an endpoint takes one file as `multipart/form-data` (RFC 7578). The name and type that the form gives the file are ignored, and
 * so is everything after the file.
 * @param field name of the form's field
 * @param mediaTypes of the files that are taken, for the API document
 */
export function multipartFile(field: string, maxBytes: number, mediaTypes: readonly string[]): BytesBody<Buffer> {
  return {
    field,
    maxBytes,
    mediaTypes,
    read: (contentType, body) => read(parserFor(contentType, field, maxBytes), body, { field, maxBytes }),
  }
}

async function read(parser: BusboyInstance, body: Buffer, { field, maxBytes }: { field: string; maxBytes: number }): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const missing = () => reject(new Invalid({ path: field, message: 'is missing: the form has no such file' }))
  const malformed = () => reject(new Invalid({ path: '', message: 'The body is not a well-formed form.' }, 'malformed_form'))
  parser.on('file', (_name, file) => {
    const chunks: Buffer[] = []
    file
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('limit', () => reject(new TooLarge(`The file is larger than ${maxBytes} bytes.`)))
      .on('error', malformed)
      .on('end', () => resolve(Buffer.concat(chunks)))
  })
  parser.on('partsLimit', missing).on('finish', missing).on('error', malformed)
  parser.end(body)
  return promise
}

/** @throws Invalid when `Content-Type` isn't that of a form */
function parserFor(contentType: string | undefined, field: string, maxBytes: number): BusboyInstance {
  const other = { path: '', message: `The body must be multipart/form-data, with a boundary and the file in the field "${field}".` }
  if (!/^multipart\/form-data\b/i.test(contentType ?? '')) throw new Invalid(other, 'malformed_form')
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      // Some clients send neither a file name nor a type. The field's name decides.
      isPartAFile: (name) => name === field,
      limits: { parts: MAX_PARTS, files: 1, fileSize: maxBytes, fieldSize: 1024, headerPairs: 50, headerSize: 16 * 1024 },
    })
  } catch {
    throw new Invalid(other, 'malformed_form')
  }
}
