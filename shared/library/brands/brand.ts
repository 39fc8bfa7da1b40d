import { randomUUID } from 'node:crypto'
import type { Objects } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import { ToolFailed } from '../../tools/failure.ts'
import { barePng } from '../../tools/imaging/bare-png.ts'
import { harmlessSvg } from '../../tools/svg/harmless-svg.ts'
import { readableOnLight } from '../../vocabulary/accent.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { afterCommit } from '../concurrency/after-commit.ts'
import { asRead } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'

/** The appearance of a company's pages and mails. Absent attributes have the default. */
export type BrandRecord = Key & {
  companyId: CompanyId
  name?: string
  /** `#rrggbb`, legible in the light theme. */
  accent?: string
  /** Identifies the object of its logo (`logoKey`). */
  logo?: string
  revision: number
  by: Actor
}

/** A change of a brand. Absent values stay, null removes one. */
export interface BrandChange {
  name?: string | null | undefined
  accent?: string | null | undefined
  logo?: string | null | undefined
}

/** Key prefix of all logos. */
export const LOGOS = 'logos/'

/** Largest logo, in bytes. */
export const MAX_LOGO_BYTES = 1024 * 1024

export const brandKey = (companyId: CompanyId): Key => ({ pk: `COMPANY#${companyId}`, sk: 'BRAND' })

/** Key prefix of a company's logos. */
export const logosOf = (companyId: CompanyId): string => `${LOGOS}${companyId}.`

/** The key of a logo. Each upload gets a new one, so a URL never shows another logo. */
export const logoKey = ({ companyId, logo }: { companyId: CompanyId; logo: string }): string => logosOf(companyId) + logo

/** @returns the brand of a company; undefined where it has none */
export async function brandOf({ table }: Reading, companyId: CompanyId): Promise<BrandRecord | undefined> {
  const brand = await table.get<BrandRecord>(brandKey(companyId))
  return brand && (brand.name ?? brand.accent ?? brand.logo) !== undefined ? brand : undefined
}

/** @returns the brand of the only company; undefined where there are several, or it has none */
export async function brandOfService(library: Reading): Promise<BrandRecord | undefined> {
  const { items } = await library.table.query<Key & { companyId: CompanyId }>({ pk: 'COMPANIES', limit: 2 })
  const [only, another] = items
  return only && !another ? brandOf(library, only.companyId) : undefined
}

/** The brand name in mails to users of a company: the company's, else the operator's. */
export async function mailBrand(
  library: Reading & { settings: Pick<Settings, 'brand'> },
  companyId: CompanyId | undefined,
): Promise<string> {
  const brand = companyId === undefined ? undefined : await brandOf(library, companyId)
  return brand?.name ?? library.settings.brand
}

interface Branding extends Writing {
  logos: Pick<Objects, 'put' | 'delete'>
}

/** Changes a company's brand. @throws Invalid `accent_contrast` with the `nearest` legible accent */
export async function changeBrand(library: Branding, companyId: CompanyId, change: BrandChange): Promise<BrandRecord> {
  if (change.accent) requireReadable(change.accent)
  const { table, by } = library
  let former: string | undefined
  const brand = await retryOnConflict(async () => {
    const before = await table.get<BrandRecord>(brandKey(companyId))
    const { name = before?.name, accent = before?.accent, logo = before?.logo } = change
    const after: BrandRecord = {
      ...brandKey(companyId),
      companyId,
      ...(name !== null && { name }),
      ...(accent !== null && { accent }),
      ...(logo !== null && { logo }),
      revision: (before?.revision ?? 0) + 1,
      by,
    }
    former = before?.logo === after.logo ? undefined : before?.logo
    await table.put(after, { revision: asRead(before?.revision) })
    return after
  })
  if (former !== undefined) await afterCommit(table, () => library.logos.delete([logoKey({ companyId, logo: former! })]))
  return brand
}

/**
 * Replaces a company's logo: an SVG, of which only shapes and text are kept, or a PNG. A crash may leave an orphaned object, which `check`
 * finds.
 * @throws Invalid `unusable_picture`
 */
export async function storeLogo(library: Branding, companyId: CompanyId, picture: Buffer): Promise<BrandRecord> {
  const { bytes, contentType, extension } = sanitized(picture)
  const logo = `${randomUUID()}.${extension}`
  await library.logos.put(logoKey({ companyId, logo }), bytes, { contentType })
  return changeBrand(library, companyId, { logo })
}

function sanitized(picture: Buffer): { bytes: Buffer; contentType: string; extension: string } {
  try {
    const start = picture
      .subarray(0, 64)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
    if (/^\s*</.test(start))
      return { bytes: Buffer.from(harmlessSvg(picture.toString('utf8'))), contentType: 'image/svg+xml', extension: 'svg' }
    return { bytes: barePng(picture), contentType: 'image/png', extension: 'png' }
  } catch (error) {
    throw error instanceof ToolFailed ? new Invalid({ path: 'file', message: error.message }, 'unusable_picture') : error
  }
}

/** The accent lacks contrast; `nearest` is the closest one that has enough. */
class Unreadable extends Invalid {
  override readonly details: { nearest: string }
  constructor(nearest: string) {
    const message = `must have a contrast of 4.5:1 with white, under white text and as text; the nearest that has it is ${nearest}`
    super({ path: 'accent', message }, 'accent_contrast')
    this.details = { nearest }
  }
}

function requireReadable(accent: string): void {
  const nearest = readableOnLight(accent)
  if (nearest !== accent) throw new Unreadable(nearest)
}
