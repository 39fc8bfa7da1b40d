import { Invalid } from '../library/errors.ts'
import type { BytesBody } from './endpoint.ts'

/**
 * Declares that a body is a file as it is.
 * @param maxBytes at most 4.5 MiB, which is what a function's request holds in base64
 * @param mediaTypes one of which `Content-Type` has to say, whatever its parameters
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
