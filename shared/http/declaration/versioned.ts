/** A 200 that tells the version of the file which it shows, as its `ETag`. Made by `versioned()`. */
export class Versioned<Answer = unknown> {
  readonly version: number
  readonly answer: Answer
  constructor(version: number, answer: Answer) {
    this.version = version
    this.answer = answer
  }
}

/** A 200 whose `ETag` is the version of a file. Clients send it back as `If-Match`. */
export function versioned<Answer>(version: number, answer: Answer): Versioned<Answer> {
  return new Versioned(version, answer)
}

/** The entity tag of a version: a strong one. */
export const versionTag = (version: number): string => `"${version}"`
