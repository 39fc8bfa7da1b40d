import * as z from 'zod'
import { KeywordsByLanguage, TextByLanguage } from '../../../functions/media/schema.ts'
import { hasNoControls } from '../../../shared/library/names.ts'
import { metadataLimits } from '../../../shared/vocabulary/metadata-limits.ts'

/** Characters of an id. */
const MAX_ID = 200
/** Characters of a path, and of a name. */
const MAX_PATH = 4_096
const MAX_FILENAME = 1_000

const isPlain = (text: string) => hasNoControls(text) && text.isWellFormed()
const NOT_PLAIN = 'must not contain control characters'

const TextId = z
  .string('must be a string or a whole number')
  .trim()
  .refine(isPlain, NOT_PLAIN)
  .transform((id) => id.normalize('NFC'))
  .pipe(
    z
      .string()
      .min(1)
      .refine((id) => id.length <= 2 * MAX_ID && [...id].length <= MAX_ID, `must be at most ${MAX_ID} characters`),
  )

/** Numbers become their digits. */
const Id = z.preprocess((id) => (Number.isSafeInteger(id) && Number(id) >= 0 ? String(id) : id), TextId)

const fewLanguages = (value: object) => Object.keys(value).length <= metadataLimits.stockLanguages

/** An item's texts by language. Refuses `__proto__`, which a record's schema drops silently. */
function languagesOf<Languages extends z.ZodType<object>>(languages: Languages) {
  const few = languages.refine(fewLanguages, `must hold at most ${metadataLimits.stockLanguages} languages`)
  return z.preprocess((value, { addIssue }) => {
    if (Object.hasOwn(Object(value), '__proto__')) addIssue({ code: 'custom', path: ['__proto__'], message: 'is not known' })
    return value
  }, few)
}

/** An item as a manifest describes it. */
export const ManifestEntry = z.strictObject({
  id: Id,
  file: z.string().min(1).max(MAX_PATH).optional(),
  filename: z.string().min(1).max(MAX_FILENAME).refine(isPlain, NOT_PLAIN).optional(),
  title: languagesOf(TextByLanguage).optional(),
  description: languagesOf(TextByLanguage).optional(),
  keywords: languagesOf(KeywordsByLanguage).optional(),
})
