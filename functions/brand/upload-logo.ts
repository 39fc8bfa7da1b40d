import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { multipartFile } from '../../shared/http/declaration/multipart.ts'
import { requireAdmin } from '../../shared/library/access/people.ts'
import { MAX_LOGO_BYTES, storeLogo } from '../../shared/library/brands/brand.ts'
import { changingBrands } from './changing.ts'
import { Brand, brandJson } from './schema.ts'

export const uploadLogo = endpoint({
  route: 'POST /company/{id}/brand/logo',
  summary: 'Set the logo of a company; admins only',
  description:
    'An SVG or a PNG of up to 1 MB. Of an SVG shapes and text are kept: scripts, links, animations and what it would load from elsewhere are taken out. ' +
    'A PNG has at most 4,096 pixels a side. What is no such picture is a 400 with the code `unusable_picture`. Answers with the brand. For admins of the ' +
    'company.',
  access: 'user',
  ...changingBrands,
  idempotent: true,
  params: { id: CompanyIdText },
  body: multipartFile('file', MAX_LOGO_BYTES, ['image/svg+xml', 'image/png']),
  returns: Brand,
  refuses: ['forbidden', 'conflict'],
  async handle({ params, body, ...library }) {
    requireAdmin(library, params.id)
    return brandJson(library, await storeLogo(library, params.id, body))
  },
})
