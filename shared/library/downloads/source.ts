import { isWritable, type WrittenFields } from '../../tools/metadata/fields.ts'
import { isTooLarge } from '../media/copy-job.ts'
import { inLanguage } from '../media/languages.ts'
import type { AvailableMedia, Rendition } from '../media/media.ts'
import { objectKeys } from '../media/objects.ts'

/** A file that is delivered: the original, or one of its renditions, named by its pixels. */
export type Variant = 'original' | `${number}x${number}`

/** A stored file, and the metadata that its copy carries. */
export interface Source {
  media: AvailableMedia
  variant: Variant
  /** Object in the `media` bucket. */
  key: string
  mime: string
  fields: WrittenFields
  /** Whether it is written even where that breaks Content Credentials. */
  breaksCredentials: boolean
}

/** How an original is wanted. */
export type WantedOriginal = {
  /** Written even where that breaks Content Credentials. */
  breaksCredentials?: boolean
}

/** The original of a file that gets a copy; undefined where it is delivered as it is. */
export function originalSource(media: AvailableMedia, { breaksCredentials = false }: WantedOriginal = {}): Source | undefined {
  if (isTooLarge(media) || (media.contentCredentials && !breaksCredentials)) return undefined
  return wholeOriginal(media, breaksCredentials)
}

/** Whether the library knows something that an original should carry. */
export const shouldCarry = (media: AvailableMedia): boolean => wholeOriginal(media, true) !== undefined

function wholeOriginal(media: AvailableMedia, breaksCredentials: boolean): Source | undefined {
  return sourceOf({
    media,
    variant: 'original',
    key: objectKeys.original(media),
    mime: media.mime,
    fields: fieldsOf(media),
    breaksCredentials,
  })
}

/**
 * A rendition that gets a copy. Of the original's metadata it carries the copyright alone, which the job that empties it may have left there until now.
 * PNGs are delivered as they are.
 */
export function renditionSource(media: AvailableMedia, rendition: Rendition): Source | undefined {
  const { key, mime } = rendition
  if (mime !== 'image/jpeg') return undefined
  const fields = fieldsOf({ ...media, emptied: media.emptied?.filter((field) => field === 'copyright') })
  return sourceOf({ media, variant: variantOf(rendition), key, mime, fields, breaksCredentials: false })
}

const variantOf = ({ width, height }: Rendition): Variant => `${width}x${height}`

/** The source of a copy by its name. */
export function sourceNamed(media: AvailableMedia, variant: Variant, wanted: WantedOriginal): Source | undefined {
  if (variant === 'original') return originalSource(media, wanted)
  const rendition = Object.values(media.renditions).find((each) => variantOf(each) === variant)
  return rendition && renditionSource(media, rendition)
}

function sourceOf(source: Source): Source | undefined {
  return isWritable(source.mime) && Object.keys(source.fields).length > 0 ? source : undefined
}

type Described = Pick<AvailableMedia, 'title' | 'copyright' | 'description' | 'keywords' | 'emptied'>

/** The fields that the library knows of a file, and those that an edit emptied. The file keeps its own where nobody ever set any. */
function fieldsOf({ title, copyright, description, keywords, emptied = [] }: Described): WrittenFields {
  const known = {
    ...filled('title', inLanguage(title, 'en')),
    ...filled('copyright', copyright ?? undefined),
    ...filled('description', inLanguage(description, 'en')),
    ...filled('keywords', inLanguage(keywords, 'en')),
  }
  const empty = { title: '', copyright: '', description: '', keywords: [] }
  return { ...Object.fromEntries(emptied.map((field) => [field, empty[field]])), ...known }
}

function filled<Name extends string, Value extends string | string[]>(name: Name, value: Value | undefined) {
  return value?.length ? { [name]: value } : {}
}
