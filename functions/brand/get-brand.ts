import * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { brandOf, brandOfService } from '../../shared/library/brands/brand.ts'
import { openShare } from '../../shared/library/shares/visit.ts'
import { brandJson, ShownBrand } from './schema.ts'

/** The name of the service where no company has chosen one. */
const SERVICE_NAME = 'Media library'

export const getBrand = endpoint({
  route: 'GET /brand',
  summary: 'See the name, colour and logo for pages without a sign-in',
  description:
    'With `share`, the secret in the address of a share link, those of the company whose link it is; a link that is unknown or has ended is 404. Without, ' +
    "those of the company that has the service for itself; where several share it, or it has chosen none, the service's own: `own` is false then.",
  access: 'anyone',
  uses: { table: 'read', urls: 'sign' },
  query: z.object({
    share: z
      .string()
      .max(64)
      .optional()
      .meta({ examples: ['hT6nWc2Rk8Vq4Ym0Zp9Lx5Ds1Bf7Gj3Ka0Qe6Ut8Iow'] }),
  }),
  returns: ShownBrand,
  refuses: ['not found'],
  async handle({ query: { share: secret }, ...library }) {
    const companyId = secret === undefined ? undefined : (await openShare(library, secret)).share.companyId
    const brand = companyId === undefined ? await brandOfService(library) : await brandOf(library, companyId)
    const { name, ...look } = await brandJson(library, brand)
    return { name: name ?? SERVICE_NAME, ...look, own: brand !== undefined }
  },
})
