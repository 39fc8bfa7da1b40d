import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { AnswerMediaId } from '../../shared/http/declaration/fields.ts'
import { findByChecksum, MAX_EXAMINED, MAX_FOUND } from '../../shared/library/media/checksums.ts'

const MAX_CHECKSUMS = 1_000
const example = '9e107d9d372bb6826bd81d3542a419d6'

const Checksum = z
  .string()
  .regex(/^[0-9a-fA-F]{32}$/, 'must be an MD5 in hex')
  .meta({ examples: [example] })

export const findExistingMedia = endpoint({
  route: 'POST /media/exists',
  summary: 'Find the files that have certain bytes, by MD5',
  description:
    'Tells what is in the library before it is uploaded. `found` names only files that the caller may READ; those in trashcans and those ' +
    'that are being imported are not among them. What is not there is absent; keys come back as they were sent. At most ' +
    `${MAX_FOUND} files are named for an MD5, and of one that more than ${MAX_EXAMINED} files share some may be missing.`,
  access: 'user or application',
  uses: { table: 'readByChecksum' },
  body: z
    .object({ md5: z.array(Checksum).min(1).max(MAX_CHECKSUMS).describe(`at most ${MAX_CHECKSUMS}, in any case`) })
    .meta({ id: 'ExistingMediaInput' }),
  returns: z
    .object({
      found: z.record(z.string(), z.array(AnswerMediaId)).meta({ description: 'MD5 to ids of files', examples: [{ [example]: [902114] }] }),
    })
    .meta({ id: 'ExistingMedia' }),
  async handle({ body: { md5 }, ...library }) {
    const found = await findByChecksum(library, [...new Set(md5.map((each) => each.toLowerCase()))])
    return { found: Object.fromEntries(md5.flatMap((sent) => ofSent(sent, found.get(sent.toLowerCase())))) }
  },
})

const ofSent = (sent: string, ids: readonly number[] | undefined): [string, number[]][] => (ids ? [[sent, [...ids]]] : [])
