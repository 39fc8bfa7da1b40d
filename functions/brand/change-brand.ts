import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireAdmin } from '../../shared/library/access/people.ts'
import { changeBrand as change } from '../../shared/library/brands/brand.ts'
import { changingBrands } from './changing.ts'
import { Brand, BrandInput, brandJson } from './schema.ts'

export const changeBrand = endpoint({
  route: 'POST /company/{id}/brand',
  summary: 'Choose how a company shows itself; admins only',
  description:
    'Its name and colour are on the page to sign in, in the console, on the pages behind its share links, and its name in its mails. What is absent ' +
    'stays. An accent that lacks a contrast of 4.5:1 with white is 400 `accent_contrast`, with the `nearest` that has it; dark pages show it lighter ' +
    'where it has to be. The logo comes by `POST /company/{id}/brand/logo`. For admins of the company.',
  access: 'user',
  ...changingBrands,
  idempotent: true,
  params: { id: CompanyIdText },
  body: BrandInput,
  returns: Brand,
  refuses: ['forbidden', 'conflict'],
  async handle({ params, body: { logo, ...chosen }, ...library }) {
    requireAdmin(library, params.id)
    return brandJson(library, await change(library, params.id, { ...chosen, ...(logo === null && { logo }) }))
  },
})
