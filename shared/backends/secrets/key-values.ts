import type { KeyValues } from './port.ts'

/** @param stored the parsed secret; only the value if the key was never rotated @returns undefined if it is no key */
export function keyValues(stored: unknown): KeyValues | undefined {
  if (isValue(stored)) return { current: stored }
  if (typeof stored !== 'object' || stored === null) return undefined
  const { current, next, previous, since, ...others } = stored as Record<string, unknown>
  if (!isValue(current) || Object.keys(others).length > 0) return undefined
  if (![next, previous].every((value) => value === undefined || isValue(value))) return undefined
  return since === undefined || Number.isSafeInteger(since) ? (stored as KeyValues) : undefined
}

/** @param text the secret's text. The operator's own secrets are a single value, in whatever form */
export function keyValuesOfText(text: string): KeyValues {
  try {
    const stored: unknown = JSON.parse(text)
    return (typeof stored === 'object' ? keyValues(stored) : undefined) ?? { current: text }
  } catch {
    return { current: text }
  }
}

const isValue = (value: unknown): value is string => typeof value === 'string' && value !== ''
