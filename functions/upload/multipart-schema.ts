import * as z from 'zod'
import { shownAs } from '../../shared/http/shown-as.ts'

/** Id of an upload in parts, in a path. */
export const uploadIdParam = { uploadId: z.string().meta({ examples: ['Zl8vQx2yT0d5m8h1rW3kq9uB7cYfGjA4sNePzLxKvVo'] }) }

/** Number of a part, from 1. */
export const PartNumber = z
  .number()
  .int()
  .min(1)
  .max(10_000)
  .meta({ examples: [1] })

/** An MD5 in a request: hex in any case. */
export const Md5 = shownAs(
  z
    .string()
    .regex(/^[0-9a-f]{32}$/i, 'must be an MD5 in hex')
    .transform((md5) => md5.toLowerCase()),
  { type: 'string', pattern: '^[0-9A-Fa-f]{32}$', examples: ['9e107d9d372bb6826bd81d3542a419d6'] },
)
