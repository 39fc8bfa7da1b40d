/** Numbers and texts that change whenever the answer does: its version is their hash. */
export type TagParts = readonly (string | number)[]

/** A 200 that is made only for clients who don't have it. Made by `tagged()`. */
export class Tagged<Answer = unknown> {
  readonly parts: TagParts
  readonly make: () => Promise<Answer>
  constructor(parts: TagParts, make: () => Promise<Answer>) {
    this.parts = parts
    this.make = make
  }
}

/**
 * A 200 with an `ETag` that is known before the answer is made: a request whose `If-None-Match` names it gets 304, and `make` isn't called.
 * @param parts versions of all data that the answer is made of. The request (address, query, caller) and the version of the service are parts
 *   of every tag already.
 * @param make answers the value, or its text by `jsonText()`. It reads the data anew or later than `parts`, never earlier: an answer under the
 *   tag of newer data would be kept.
 */
export function tagged<Answer>(parts: TagParts, make: () => Promise<Answer>): Tagged<Answer> {
  return new Tagged(parts, make)
}
