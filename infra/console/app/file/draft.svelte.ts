import type { Schemas } from '../api/client.ts'

type Media = Schemas['Media']

/** The editable fields of a file, as its form has them. */
export interface Fields {
  title: Record<string, string>
  description: Record<string, string>
  keywords: Record<string, string[]>
  byline: string
  copyright: string
  expiration: string
}

/** What is being changed of a file. */
export class Draft {
  fields: Fields = $state()!
  #media: Media
  #before: Fields

  constructor(media: Media) {
    this.#media = media
    this.#before = fieldsOf(media)
    this.fields = fieldsOf(media)
  }

  get isChanged(): boolean {
    return changedNames(this.#before, cleaned(this.fields)).length > 0
  }

  /** Puts what was changed here on what somebody else saved meanwhile. */
  rebase(media: Media): void {
    const mine = cleaned(this.fields)
    const changed = changedNames(this.#before, mine).map((name) => [name, mine[name]])
    this.#media = media
    this.#before = fieldsOf(media)
    this.fields = { ...fieldsOf(media), ...Object.fromEntries(changed) }
  }

  /** All of the metadata, in one request. */
  body(): Schemas['MetadataInput'] {
    const { title, description, keywords, byline, copyright, expiration } = cleaned(this.fields)
    const { editorial, adult_content } = this.#media.metadata
    return { editorial, adult_content, title, description, keywords, byline, copyright, expiration_date: expiration || null }
  }
}

export function fieldsOf({ metadata, byline, copyright, expiration_date }: Media): Fields {
  const { title, description, keywords } = metadata
  const copies = structuredClone({ title, description, keywords })
  return { ...copies, byline: byline ?? '', copyright: copyright ?? '', expiration: expiration_date ?? '' }
}

/** Without the empty texts that fields of other languages leave. */
function cleaned(fields: Fields): Fields {
  const { title, description, keywords, ...others } = $state.snapshot(fields)
  const filled = <Value extends string | string[]>(values: Record<string, Value>) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0))
  return { ...others, title: filled(title), description: filled(description), keywords: filled(keywords) }
}

/** The fields that differ. */
export function changedNames(before: Fields, after: Fields): (keyof Fields)[] {
  const isOther = (name: keyof Fields) => canonical(before[name]) !== canonical(after[name])
  return (Object.keys(before) as (keyof Fields)[]).filter(isOther)
}

const canonical = (value: unknown): string =>
  JSON.stringify(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value).sort() : value)
