import { createHash } from 'node:crypto'
import { type ObjectLabels, ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { PictureLabels } from '../../tools/imaging/picture-labels.ts'
import { limits } from '../../tools/metadata/extraction.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import type { AvailableMedia } from '../media/media.ts'
import { storedTags } from '../media/objects.ts'

export type { PictureLabels }

type Described = Pick<AvailableMedia, 'companyId' | 'mediaId' | 'kind' | 'copyright' | 'emptied'>

/** The labels in pictures that are made of a file. */
export async function labelsOf(media: Pick<ObjectReader, 'get'>, file: Described): Promise<PictureLabels> {
  return labelsIn(file.kind === 'image' ? await tagsOf(media, file) : {}, file)
}

/**
 * The same, where the file's tags are known. The copyright is the library's, else that of the file's EXIF: the library's comes from IPTC and XMP at the
 * import. An emptied one stays empty.
 */
export function labelsIn(
  { EXIF, XMP }: FileTags['printed'],
  { kind, copyright, emptied }: Omit<Described, 'companyId' | 'mediaId'>,
): PictureLabels {
  if (kind !== 'image') return { copyright: copyright || null, digitalSourceType: null }
  const own = emptied?.includes('copyright') ? '' : String(EXIF?.Copyright ?? '')
  const text = own.replaceAll('\0', '').trim().slice(0, limits.copyright).toWellFormed()
  return { copyright: copyright || text || null, digitalSourceType: sourceTypeIn(XMP?.DigitalSourceType) }
}

const SOURCE_TYPE = /^(?:https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/)?([A-Za-z]{1,64})$/

/** @param value an address of IPTC's vocabulary, or the name at its end */
function sourceTypeIn(value: unknown): string | null {
  return SOURCE_TYPE.exec(String(value ?? '').trim())?.[1] ?? null
}

async function tagsOf(media: Pick<ObjectReader, 'get'>, file: Described): Promise<FileTags['printed']> {
  try {
    return await storedTags(media, file)
  } catch (error) {
    if (error instanceof ObjectMissing) return {}
    throw error
  }
}

/** A digest of what a picture says and keeps, so that a change of it is seen. */
export const digestOf = (shown: unknown): string => createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 16)

/** How much of a picture a model made. */
export type AiLabel = NonNullable<ObjectLabels['ai']>

/** The label that a person sees of how a picture came about (IPTC's vocabulary of digital source types). */
export function aiLabelOf({ digitalSourceType }: Pick<PictureLabels, 'digitalSourceType'>): AiLabel | null {
  if (digitalSourceType === 'trainedAlgorithmicMedia') return 'generated'
  return digitalSourceType === 'compositeWithTrainedAlgorithmicMedia' || digitalSourceType === 'compositeSynthetic' ? 'modified' : null
}
