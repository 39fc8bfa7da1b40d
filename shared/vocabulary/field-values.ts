import type { Point } from './point.ts'

/** Text by language code. Of a company's own files only `en` is searched. */
export type LanguageText = { [language: string]: string }
export type LanguageKeywords = { [language: string]: string[] }

/** Values of editable fields by the kinds of fields. Of texts and keywords single languages change, all others are replaced as a whole. */
export type FieldValues = {
  texts: LanguageText
  keywords: LanguageKeywords
  line: string | null
  /** `yyyy-mm-dd` */
  day: string | null
  flag: boolean
  /** null: somebody has said that there is none. */
  point: Point | null
}

export type FieldKind = keyof FieldValues

/** Values of fields that nobody filled. */
export const emptyValues: Readonly<FieldValues> = { texts: {}, keywords: {}, line: null, day: null, flag: false, point: null }
