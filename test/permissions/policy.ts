/** The part of IAM's policy language that our templates use. What isn't known here is refused, never guessed. */
export interface Statement {
  Effect: 'Allow' | 'Deny'
  Action: string | string[]
  /** Absent in policies that belong to one resource (who may take a role). */
  Resource?: string | string[]
  Principal?: '*' | { Service?: string | string[]; AWS?: string | string[] }
  Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>
  Sid?: string
}

/** Somebody wants to do something. */
export interface Access {
  /** `role:<logical id>` of a role, or the host name of a service: `cloudfront.amazonaws.com`. */
  by: string
  /** `s3:GetObject` */
  action: string
  /** ARN */
  resource: string
  /** Condition keys, in lower case, with their values. */
  context?: Readonly<Record<string, string>>
}

/** Whether the statement speaks of this access: by whom, what, on what, under which conditions. @throws Error for what isn't known here */
export function applies(statement: Statement, access: Access): boolean {
  const unknown = Object.keys(statement).filter((key) => !known.has(key))
  if (unknown.length > 0) throw new Error(`a statement with ${unknown.join(', ')} can't be judged`)
  const { Action, Resource, Principal, Condition = {} } = statement
  return (
    listOf(Action).some((pattern) => like(pattern.toLowerCase(), access.action.toLowerCase())) &&
    (Resource === undefined || listOf(Resource).some((pattern) => like(pattern, access.resource))) &&
    (Principal === undefined || names(Principal, access.by)) &&
    Object.entries(Condition).every(([operator, keys]) => holds(operator, keys, access.context ?? {}))
  )
}

/** What policies together decide: a denial beats everything, and what nobody allows is denied. */
export function isAllowed(statements: readonly Statement[], access: Access): boolean {
  const speaking = statements.filter((statement) => applies(statement, access))
  return speaking.some(({ Effect }) => Effect === 'Allow') && speaking.every(({ Effect }) => Effect === 'Allow')
}

/** A value of a policy that may be one or a list. */
export function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}

const known = new Set(['Effect', 'Action', 'Resource', 'Principal', 'Condition', 'Sid'])

/** `*` stands for any text, `?` for any character, as in every pattern of IAM. */
function like(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text
  const expression = expressions.get(pattern) ?? expressionOf(pattern)
  expressions.set(pattern, expression)
  return expression.test(text)
}

/** Patterns are compared with thousands of texts each. */
const expressions = new Map<string, RegExp>()

function expressionOf(pattern: string): RegExp {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 's')
}

function names(principal: NonNullable<Statement['Principal']>, by: string): boolean {
  if (principal === '*') return true
  const { Service = [], AWS = [] } = principal
  return listOf(Service).includes(by) || listOf(AWS).some((each) => each === '*' || each === by)
}

/** A key that the request doesn't have fails every operator used here. */
function holds(operator: string, keys: Readonly<Record<string, string | string[]>>, context: NonNullable<Access['context']>): boolean {
  const matches = operators[operator]
  if (!matches) throw new Error(`the condition operator ${operator} can't be judged`)
  return Object.entries(keys).every(([key, wanted]) => {
    const actual = context[key.toLowerCase()]
    return actual !== undefined && listOf(wanted).some((each) => matches(String(each), actual))
  })
}

const operators: Readonly<Record<string, (wanted: string, actual: string) => boolean>> = {
  StringEquals: (wanted, actual) => wanted === actual,
  StringLike: like,
  // Requests judged here name one partition at most.
  'ForAllValues:StringLike': like,
  ArnEquals: like,
  ArnLike: like,
  Bool: (wanted, actual) => wanted === actual,
}
