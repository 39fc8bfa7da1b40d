import { InvalidParts, type Part, type PartRules, type StoredPart } from './port.ts'

/** Size of a part, in bytes. */
export function partBytes(part: Part): number {
  if ('bytes' in part) return part.bytes.length
  return 'size' in part ? part.size : part.end - part.start + 1
}

/** Checks a single part. The minimum size is checked later, because the last part may be smaller. @throws InvalidParts */
export function checkPart(part: Part, { maxBytes, maxParts }: PartRules): void {
  const { number } = part
  if (!Number.isSafeInteger(number) || number < 1 || number > maxParts) {
    throw new InvalidParts(`parts have numbers from 1 to ${maxParts}, not ${number}`)
  }
  const bytes = partBytes(part)
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw new InvalidParts(`part ${number} is empty`)
  if (bytes > maxBytes) throw new InvalidParts(`part ${number} has ${bytes} bytes, at most ${maxBytes} are allowed`)
}

/**
 * Checks all parts before completion.
 * @param parts by number
 * @param bytes expected size of the object
 * @throws InvalidParts
 */
export function checkParts(parts: readonly StoredPart[], bytes: number, { minBytes }: PartRules): void {
  if (parts.length === 0) throw new InvalidParts('there are no parts')
  let total = 0
  for (const [index, part] of parts.entries()) {
    if (part.number !== index + 1) throw new InvalidParts(`part ${index + 1} is missing`)
    if (part.bytes < minBytes && index < parts.length - 1) {
      throw new InvalidParts(`part ${part.number} has ${part.bytes} bytes, all but the last have at least ${minBytes}`)
    }
    total += part.bytes
  }
  if (total !== bytes) throw new InvalidParts(`the parts have ${total} bytes, ${bytes} are expected`)
}
