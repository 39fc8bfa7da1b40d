import { Invalid } from '../../library/errors.ts'
import { type ApiEvent, headerValues } from './exchange.ts'

/** An entity tag and the comma behind it, or an empty element of the list (RFC 9110, 5.6.1 and 8.8.3). */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * The versions that an `If-Match` names (RFC 9110, 13.1.1). Weak tags never match, nor do tags that are no version.
 * @returns undefined where any version will do
 * @throws Invalid for what is no list of entity tags
 */
export function expectedVersions(event: Pick<ApiEvent, 'headers' | 'multiValueHeaders'>): readonly number[] | undefined {
  const values = headerValues(event, 'if-match')
  if (values.length === 0) return undefined
  const list = values.join(',')
  if (list.trim() === '*') return undefined
  return tagsOf(list).flatMap((tag) => (/^"[1-9][0-9]{0,15}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))
}

function tagsOf(list: string): string[] {
  const tags: string[] = []
  for (let at = 0; at < list.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at
    const element = ELEMENT.exec(list)
    if (!element) throw new Invalid({ path: 'If-Match', message: NO_TAGS })
    if (element[1] !== undefined) tags.push(element[1])
  }
  if (tags.length === 0) throw new Invalid({ path: 'If-Match', message: NO_TAGS })
  return tags
}

const NO_TAGS = 'must be * or entity tags such as "3"'
