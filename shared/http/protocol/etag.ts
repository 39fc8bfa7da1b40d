import { createHash } from 'node:crypto'

/** Whether an `If-None-Match` names the version of this tag, weak or strong (RFC 9110, 13.1.2). */
export function hasTag(known: string, etag: string): boolean {
  const wanted = opaque(etag)
  return known.trim() === '*' || known.split(',').some((tag) => opaque(tag.trim()) === wanted)
}

const opaque = (tag: string) => tag.replace(/^W\//, '')

/** A weak tag: the same answer has it in every content coding. */
export function weakTag(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `W/"${hash.digest('base64url')}"`
}
