import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { CompanyIdText } from '../../shared/http/declaration/fields.ts'
import { requireMember } from '../../shared/library/access/people.ts'
import { brandOf } from '../../shared/library/brands/brand.ts'
import { Brand, brandJson } from './schema.ts'

export const getCompanyBrand = endpoint({
  route: 'GET /company/{id}/brand',
  summary: 'See how a company shows itself: name, colour and logo',
  description: 'For members of the company. What was not chosen is null.',
  access: 'user',
  uses: { table: 'read', urls: 'sign' },
  params: { id: CompanyIdText },
  returns: Brand,
  async handle({ params, ...library }) {
    requireMember(library, params.id)
    return brandJson(library, await brandOf(library, params.id))
  },
})
