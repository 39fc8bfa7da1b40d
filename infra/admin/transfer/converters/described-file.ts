import * as z from 'zod'
import { folderPath } from '../../../../shared/library/folders/paths.ts'

/** A file as another system describes it. */
export interface DescribedFile {
  path: string
  /** Names of folders, top first. */
  folders?: readonly string[] | undefined
  title?: string | null | undefined
  description?: string | null | undefined
  byline?: string | undefined
  copyright?: string | undefined
  keywords?: readonly string[] | undefined
  /** As the other system writes it. */
  created?: string | undefined
  sourceId: string
}

/** The manifest's line for a file. */
export function manifestLine({ folders = [], keywords = [], sourceId, ...said }: DescribedFile): string {
  const folder = folders.length > 0 ? folderPath(folders) : undefined
  const words = keywords.map((word) => word.trim()).filter(Boolean)
  const row = { ...said, folder, keywords: words.length > 0 ? words : undefined, source_id: sourceId }
  return JSON.stringify(
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined && value !== null && value !== '')),
  )
}

/** The list in an API's answer: an array, or one in a property. @throws Error in a sentence */
export function listed<Item>(text: string, property: string, item: z.ZodType<Item>): Item[] {
  const found: unknown = JSON.parse(text)
  const list = Array.isArray(found) ? found : Object(found)[property]
  const { data, error } = z.array(item).safeParse(list)
  if (data) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  throw new Error(`it is no such list: ${path.join('.')} ${message}`)
}
