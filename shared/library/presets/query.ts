import { linkParameters, linkQuery } from '../../vocabulary/link-query.ts'
import { Invalid, type Problem } from '../errors.ts'

/** Most characters of a preset's query, as code points. */
export const MAX_QUERY = 500

/**
 * Checks a preset's query as a link's, but strictly: what a link ignores is refused here, because an admin can mend it.
 * @throws Invalid with all problems
 */
export function checkQuery(query: string): void {
  const problems = problemsOf(query)
  if (problems.length > 0) throw new Invalid(problems)
}

function problemsOf(query: string): Problem[] {
  if ([...query].length > MAX_QUERY) return [about('', `must be at most ${MAX_QUERY} characters`)]
  const parameters = linkParameters(query)
  const unknown = query.split('&').flatMap(unknownName)
  const { query: canonical, ignored, problems } = linkQuery({ ...parameters, preset: undefined }, '')
  const found = [
    ...unknown.map((name) => about(name, 'is no parameter of links')),
    ...('preset' in parameters ? [about('preset', 'must not be in a preset')] : []),
    ...problems.map(({ path, message }) => about(path, message)),
    ...ignored.map((name) => about(name, 'has a value that links do not know')),
  ]
  return found.length === 0 && canonical === '' ? [about('', 'must change something of a picture')] : found
}

/** The name of a part of a query that is no parameter. */
function unknownName(part: string): string[] {
  if (part === '' || Object.keys(linkParameters(part)).length > 0) return []
  return [part.split('=', 1)[0]!]
}

const about = (name: string, message: string): Problem => ({ path: name === '' ? 'query' : `query.${name}`, message })
