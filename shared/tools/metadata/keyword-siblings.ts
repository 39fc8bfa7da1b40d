import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml'
import type { Assignment } from './assignment.ts'
import { fitting } from './fitting.ts'
import type { PresentTags } from './present.ts'
import { CATEGORIES, KEYWORD_LISTS, KEYWORD_PATHS, KEYWORD_TEXTS, KEYWORD_TREES, PERSON_NAMES } from './sibling-tags.ts'
import { splice } from './splice.ts'

/** Lists that contain the library's keywords, in the order of an import. */
const FLAT = ['IPTC:Keywords', 'XMP-dc:Subject']
/** Longest ACDSee tree that is parsed, in characters. A thousand categories take about 60,000. */
const LONGEST_TREE = 1_000_000

/** The new keywords, and whether one was removed. */
interface Edit {
  keywords: readonly string[]
  isRemoved: (word: string) => boolean
}

/** Updates other programs' keywords. Does nothing if the keywords are those that an import would read, because they were not edited. */
export function keywordSiblings(keywords: readonly string[], present: PresentTags): Assignment[] {
  const imported = FLAT.map((tag) => present.get(tag) ?? []).find((words) => words.length > 0)
  if (imported && isSameSet(new Set(keywords.map(wordKey)), new Set(imported.map(wordKey)))) return []
  const removed = removedWords(keywords, present)
  const edit: Edit = { keywords, isRemoved: (word) => removed.has(wordKey(word)) }
  const edited = [...present].map(([tag, values]) => ({ tag, values: editedValues(tag, values, edit) }))
  return [
    ...edited.flatMap(({ tag, values }) => (values ? [{ tag, values }] : [])),
    ...KEYWORD_TREES.flatMap((group) => goneTree(group, present, edit)),
  ]
}

/**
 * The new values of a tag; undefined if it stays unchanged. Lists get the new keywords. Paths lose a removed word and everything before it:
 * `People|Anna` is removed with `Anna`, and becomes `Anna` if `People` is removed. A person's name is removed with the keyword, but the
 * region of the face stays.
 */
function editedValues(tag: string, values: readonly string[], { keywords, isRemoved }: Edit): string[] | undefined {
  const [separator, pathSeparator] = [KEYWORD_TEXTS.get(tag), KEYWORD_PATHS.get(tag)]
  const fitted = () => keywords.map((word) => fitting(tag, word)).filter((word) => word !== '')
  if (KEYWORD_LISTS.includes(tag)) return namedInLists(keywords, shortened(values, '/', isRemoved))
  if (separator) return [fitted().join(separator)].filter((text) => text !== '')
  if (pathSeparator) return keywords.length > 0 ? shortened(values, pathSeparator, isRemoved) : []
  if (tag === CATEGORIES) return keywords.length > 0 ? values.flatMap((tree) => pruned(tree, isRemoved)) : []
  return PERSON_NAMES.includes(tag) && values.some(isRemoved) ? values.filter((name) => !isRemoved(name)) : undefined
}

/** Words that are in the file's flat lists and not in the new keywords. */
function removedWords(keywords: readonly string[], present: PresentTags): ReadonlySet<string> {
  const flat = FLAT.flatMap((tag) => present.get(tag) ?? [])
  const listed = KEYWORD_LISTS.flatMap((tag) => present.get(tag) ?? []).map(lastWord)
  const texts = [...KEYWORD_TEXTS].flatMap(([tag, separator]) => (present.get(tag) ?? []).flatMap((text) => text.split(separator.trim())))
  const kept = new Set(keywords.map(wordKey))
  return new Set([...flat, ...listed, ...texts].map(wordKey).filter((word) => word !== '' && !kept.has(word)))
}

const lastWord = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => one.size === other.size && one.isSubsetOf(other)

/** A key that is equal for words that differ only in case, and paths that differ only in separators. */
function wordKey(word: string): string {
  return word.normalize('NFC').trim().toLowerCase().replaceAll('/', '|')
}

/** Paths without those that end in a removed word. The others are cut after their last removed word. */
function shortened(paths: readonly string[], separator: string, isRemoved: (word: string) => boolean): string[] {
  const kept = paths.flatMap((path) => {
    const words = path.split(separator)
    const rest = words.slice(words.findLastIndex(isRemoved) + 1)
    return isRemoved(path) || rest.length === 0 ? [] : [rest.join(separator)]
  })
  return [...new Set(kept)]
}

/** The keywords, each as a path if the list has one. */
function namedInLists(keywords: readonly string[], paths: readonly string[]): string[] {
  const byWord = new Map(paths.flatMap((path) => [path, lastWord(path)].map((word) => [wordKey(word), path])))
  return [...new Set(keywords.map((word) => byWord.get(wordKey(word)) ?? word))]
}

/** A tree without removed categories; empty if it is no XML, or too large. */
function pruned(tree: string, isRemoved: (word: string) => boolean): string[] {
  if (tree.length > LONGEST_TREE) return []
  try {
    const { root } = parseXml(tree, { includeOffsets: true })
    return [splice(tree, root ? removedCategories(root, isRemoved).map(({ start, end }) => ({ start, end, text: '' })) : [])]
  } catch {
    return []
  }
}

function removedCategories(root: XmlElement, isRemoved: (word: string) => boolean): XmlElement[] {
  const removed: XmlElement[] = []
  const waiting = [root]
  for (const category of waiting) {
    const name = category.children.map((child) => (child instanceof XmlText ? child.text : '')).join('')
    if (isRemoved(name)) removed.push(category)
    else for (const child of category.children) if (child instanceof XmlElement) waiting.push(child)
  }
  return removed
}

/** Removes all tags of a tree if it contains a removed word, or no keywords are left. */
function goneTree(group: string, present: PresentTags, { keywords, isRemoved }: Edit): Assignment[] {
  const tags = [...present].filter(([tag]) => tag.startsWith(`${group}:`))
  const isGone = keywords.length === 0 || tags.some(([, words]) => words.some(isRemoved))
  return isGone ? tags.map(([tag]) => ({ tag, values: [] })) : []
}
