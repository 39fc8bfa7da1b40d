import type { Schemas } from '../api/client.ts'
import { bodyOf, type Fields, fieldsOf } from './fields.ts'
import { type Conflict, isOther, merged, put } from './merge.ts'

type Media = Schemas['Media']

/** What is being changed of a file. */
export class Draft {
  fields: Fields = $state()!
  /** Values that somebody else changed as well, which wait for a choice. */
  conflicts = $state.raw<readonly Conflict[]>([])
  /** What the form began with. */
  #before: Fields

  constructor(media: Media) {
    this.#before = fieldsOf(media)
    this.fields = fieldsOf(media)
  }

  get isChanged(): boolean {
    return isOther(this.#before, this.#mine)
  }

  /** Puts what was changed here on what the service has by now. What both changed waits for a choice. */
  rebase(media: Media): void {
    const theirs = fieldsOf(media)
    const { fields, conflicts } = merged(this.#before, this.#mine, theirs)
    this.#before = theirs
    this.fields = fields
    this.conflicts = conflicts
  }

  /** All of the metadata for one request, and what notes that it is saved. What is typed meanwhile is not. */
  request(): { body: Schemas['MetadataInput']; noteSaved(): void } {
    const mine = this.#mine
    return {
      body: bodyOf(mine),
      noteSaved: () => {
        this.#before = mine
      },
    }
  }

  discard(): void {
    this.fields = structuredClone(this.#before)
    this.conflicts = []
  }

  /** Ends a conflict. @param isTheirs whether what somebody else saved is taken */
  choose(conflict: Conflict, isTheirs: boolean): void {
    if (isTheirs) put(this.fields, conflict, conflict.theirs)
    this.conflicts = this.conflicts.filter((other) => other !== conflict)
  }

  get #mine(): Fields {
    return $state.snapshot(this.fields)
  }
}
