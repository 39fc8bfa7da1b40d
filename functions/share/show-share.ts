import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { htmlPage, refusedOn } from '../../shared/http/declaration/page.ts'
import { withCookies } from '../../shared/http/declaration/results.ts'
import { shareCookie, VISIT_COOKIE } from '../../shared/http/declaration/share-link.ts'
import { countUse } from '../../shared/library/shares/share.ts'
import { openShare } from '../../shared/library/shares/visit.ts'
import { secretParam } from './secret-param.ts'
import { sharePage } from './share-page.ts'
import { visiting } from './visiting.ts'

export const showShare = endpoint({
  route: 'GET /s/{secret}',
  summary: 'The page that a share link leads to',
  description:
    'The page fetches what it shows from below its own address, and asks for the password where the link has one. Its first answer to a browser ' +
    'counts as a visit. A link that is unknown or has ended is 404: to a browser (`Accept: text/html`) the same page, which then says so.',
  access: 'anyone',
  ...visiting,
  params: secretParam,
  returns: htmlPage,
  refuses: ['not found'],
  async handle({ params: { secret }, baseUrl, credentials, ...library }) {
    const page = await sharePage(library, baseUrl)
    const { share } = await openShare(library, secret).catch(refusedOn(page))
    if (credentials().cookie(VISIT_COOKIE) !== undefined) return page
    await countUse(library, share.shareId, 'visits')
    return withCookies(page, shareCookie(VISIT_COOKIE, '1', { baseUrl, secret }))
  },
})
