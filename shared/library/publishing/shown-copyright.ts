import { ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import { limits } from '../media/extraction.ts'
import type { AvailableMedia } from '../media/media.ts'
import { storedTags } from '../media/stored-tags.ts'

type Described = Pick<AvailableMedia, 'companyId' | 'mediaId' | 'kind' | 'copyright' | 'emptied'>

/**
 * The copyright that pictures of a link say: the library's, or that of the file's own EXIF where the library knows none. An import takes the
 * library's from IPTC and XMP. One that somebody emptied stays empty.
 * @returns null where there is none
 */
export async function shownCopyright(media: Pick<ObjectReader, 'get'>, file: Described): Promise<string | null> {
  if (file.copyright || file.kind !== 'image' || file.emptied?.includes('copyright')) return file.copyright || null
  const text = String((await tagsOf(media, file)).EXIF?.Copyright ?? '')
  return text.replaceAll('\0', '').trim().slice(0, limits.copyright).toWellFormed() || null
}

async function tagsOf(media: Pick<ObjectReader, 'get'>, file: Described): Promise<FileTags['printed']> {
  try {
    return await storedTags(media, file)
  } catch (error) {
    if (error instanceof ObjectMissing) return {}
    throw error
  }
}
