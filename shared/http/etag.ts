/** Whether an `If-None-Match` names the version of this tag, given in quotes (RFC 9110, 13.1.2). */
export function hasTag(known: string, etag: string): boolean {
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
