import type { Assignment } from './assignment.ts'
import type { WrittenFields } from './fields.ts'
import { fitting } from './fitting.ts'
import { keywordSiblings } from './keyword-siblings.ts'
import { isPresent, isTextOf, type PresentTags } from './present.ts'
import { SUBJECT, TEXTS, type TextTags } from './sibling-tags.ts'

type TextField = keyof typeof TEXTS

/**
 * Updates the fields of other programs after an edit. Changes those that the file has, and adds none. A field with the same value in file
 * and library was not edited.
 */
export function siblings({ keywords, ...texts }: WrittenFields, present: PresentTags): Assignment[] {
  const subject = isSame(SUBJECT, 'title', present) ? 'title' : 'description'
  const edits = Object.entries(texts).flatMap(([name, text]) => {
    const field = name as TextField
    if (imported(field, present).includes(text.normalize('NFC'))) return []
    return textSiblings(field, text, present).filter(({ tag }) => tag !== SUBJECT || field === subject)
  })
  return [...edits, ...(keywords === undefined ? [] : keywordSiblings(keywords, present))]
}

/** Removing a text removes all fields that an import would read it from. */
function textSiblings(field: TextField, text: string, present: PresentTags): Assignment[] {
  const { always, same, imported }: TextTags = TEXTS[field]
  const followers = same.filter((tag) => isSame(tag, field, present) || (text === '' && imported.includes(tag)))
  const tags = [...always, ...followers].filter((tag) => isPresent(tag, present))
  return tags.map((tag) => ({ tag, values: [fitting(tag, text)].filter((fitted) => fitted !== '') }))
}

/** Whether a tag has a text of the field: that of one of its own tags, or the one that an import reads. */
function isSame(tag: string, field: TextField, present: PresentTags): boolean {
  const { written, always }: TextTags = TEXTS[field]
  const said = new Set([...[...written, ...always].flatMap((each) => textsOf(each, present)), ...imported(field, present)])
  return textsOf(tag, present).some((text) => said.has(text))
}

/** The field's texts that an import reads, in all languages. */
export function imported(field: TextField, present: PresentTags): string[] {
  return TEXTS[field].imported.map((tag) => textsOf(tag, present)).find((texts) => texts.length > 0) ?? []
}

/** The texts of a tag in all languages. */
function textsOf(tag: string, present: PresentTags): string[] {
  const values = [...present].flatMap(([name, texts]) => (isTextOf(tag, name) ? texts : []))
  return values.map((text) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim()).filter((text) => text !== '')
}
