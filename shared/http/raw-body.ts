import { Invalid } from '../library/errors.ts'
import type { BytesBody } from './endpoint.ts'

/**
 * Declares that the body is a file.
 * @param maxBytes at most 4.5 MiB: a function's request holds no more in base64
 * @param mediaTypes `Content-Type` must be one of them; its parameters are ignored
 */
export function raw({ maxBytes, mediaTypes }: Pick<BytesBody, 'maxBytes' | 'mediaTypes'>): BytesBody {
  return {
    maxBytes,
    mediaTypes,
    async read(contentType = '', body) {
      const [type = ''] = contentType.split(';')
      if (mediaTypes.includes(type.trim().toLowerCase())) return body
      throw new Invalid({ path: '', message: `The body must be ${mediaTypes.join(' or ')}, as Content-Type says.` }, 'unsupported_type')
    },
  }
}
