import * as z from 'zod'
import { Name } from '../../shared/http/declaration/fields.ts'
import type { BrandRecord } from '../../shared/library/brands/brand.ts'
import { logoKey } from '../../shared/library/brands/brand.ts'
import { type Delivering, pictureUrl } from '../../shared/library/media/delivery.ts'
import { readableOnDark } from '../../shared/vocabulary/accent.ts'

const colour = (example: string) => ({ pattern: '^#[0-9a-f]{6}$', examples: [example] })

/** A colour of an answer. */
const Accent = z.string().nullable()

const look = {
  accent: Accent.meta({
    ...colour('#0b5cad'),
    description: 'as it is on light pages, under white text and as text; null where none was chosen',
  }),
  accent_dark: Accent.meta({ ...colour('#84bdf5'), description: 'the same for dark pages, under dark text: lighter where it has to be' }),
  logo: z
    .string()
    .nullable()
    .meta({
      format: 'uri',
      description: 'address of the logo, an SVG or a PNG, good for a day; null where there is none',
      examples: ['https://files.example.com/logos/24.5f0c.svg?Signature=MEUCIQD'],
    }),
}

/** The brand of a company, for its members. */
export const Brand = z
  .object({
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Harbour Press'] })
      .describe('null where none was chosen'),
    ...look,
  })
  .meta({ id: 'Brand' })

/** What pages without a sign-in show. */
export const ShownBrand = z
  .object({
    name: z
      .string()
      .meta({ examples: ['Harbour Press'] })
      .describe("the company's, or the service's own"),
    ...look,
    own: z.boolean().describe('whether a company has chosen it; else it is the look of the service'),
  })
  .meta({ id: 'ShownBrand' })

export const BrandInput = z
  .strictObject({
    name: Name.nullish().describe('null takes it away'),
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour like #0b5cad')
      .transform((value) => value.toLowerCase())
      .meta({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#0b5cad'] })
      .nullish()
      .describe('null takes it away'),
    logo: z.string().max(8_000).nullish().describe('null takes it away; an address, as it was answered, leaves it as it is'),
  })
  .meta({ id: 'BrandInput', examples: [{ name: 'Harbour Press', accent: '#0b5cad' }] })

/** @param brand undefined for a company that has none */
export async function brandJson(library: Delivering, brand: BrandRecord | undefined): Promise<z.input<typeof Brand>> {
  const { name = null, accent = null, logo } = brand ?? {}
  return {
    name,
    accent,
    accent_dark: accent === null ? null : readableOnDark(accent),
    logo: brand && logo !== undefined ? await pictureUrl(library, logoKey({ companyId: brand.companyId, logo })) : null,
  }
}
