import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { changeShare as change } from '../../shared/library/shares/manage.ts'
import { Share, shareIdParam, shareJson, termsOf, termsOfShare } from './schema.ts'

export const changeShare = endpoint({
  route: 'POST /share/{shareId}',
  summary: 'Change a share link',
  description:
    'What is absent stays; null takes the end, the password, the title or the message away. A later end opens a link again that ended less ' +
    'than 30 days ago. A new password ends the visits of those who came by the old one. `allow.upload` needs WRITE or UPLOAD of the maker. For its ' +
    'maker, and for admins of the company.',
  access: 'user',
  uses: { table: 'write' },
  idempotent: true,
  params: shareIdParam,
  body: z.strictObject(termsOfShare).meta({ id: 'ShareChangeInput', examples: [{ expires: '2030-05-17T10:00:00Z' }] }),
  returns: Share,
  refuses: ['forbidden', 'too many'],
  memoryMb: 1024,
  async handle({ params, body, ...library }) {
    return shareJson(await change(library, params.shareId, termsOf(body)))
  },
})
