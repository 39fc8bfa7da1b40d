/** The neutral field name that a brand replaces. */
const NEUTRAL_FIELD = 'svc_id'

const fieldOf = (brand: string) => `${brand.toLowerCase()}_id`

/** Renames `svc_id` to the brand's field (`out`) or back (`in`), at any depth. */
export function renameKey(value: unknown, brand: string, direction: 'in' | 'out'): unknown {
  const branded = fieldOf(brand)
  if (branded === NEUTRAL_FIELD) return value
  return direction === 'in' ? rename(value, branded, NEUTRAL_FIELD) : rename(value, NEUTRAL_FIELD, branded)
}

/** A JSON schema with the brand's name for `svc_id`, in `properties` and `required`. */
export function brandedField(schema: unknown, brand: string): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${NEUTRAL_FIELD}"`, `"${fieldOf(brand)}"`))
}

/** A text, such as an error message, with the brand's name for `svc_id`. */
export function brandedText(text: string, brand: string): string {
  return text.replaceAll(NEUTRAL_FIELD, fieldOf(brand))
}

function rename(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((element) => rename(element, from, to))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key === from ? to : key, rename(held, from, to)]))
}
