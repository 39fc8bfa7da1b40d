import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import { typeErrors } from '../support/type-errors.ts'

/** A module with one endpoint. @param declared beyond what every endpoint declares @param handle its handler's parameter and body */
function moduleWith(declared: string, handle: string): string {
  return `
import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { FolderIdText, UserIdText } from '../../shared/http/fields.ts'
import { jsonText } from '../../shared/http/json-text.ts'
import { accepted, created, noContent, redirect, unavailable } from '../../shared/http/results.ts'
import { tagged } from '../../shared/http/tagged.ts'
import type { FolderId, UserId } from '../../shared/vocabulary/ids.ts'
export const used: unknown[] = [z, FolderIdText, UserIdText, accepted, created, jsonText, noContent, redirect, tagged, unavailable]
export type Used = [FolderId, UserId]
export const subject = endpoint({ summary: 'Test', description: 'Of a test.', ${declared}, async handle${handle} })
`
}

const base = `access: 'user', uses: { table: 'read' }, returns: z.object({ id: z.number() })`
const withId = `${base}, route: 'GET /folder/{id}', params: { id: FolderIdText }`
const withBoth = `${base}, route: 'GET /folder/{id}/user/{userId}'`
const give = '() { return { id: 1 } }'

/** What must not compile: by name, with the name of what the compiler complains of. What must is what every endpoint does. */
const wrong: Record<string, [complaint: RegExp, source: string]> = {
  'a parameter that the route lacks': [
    /ZodPipe|ZodType/,
    moduleWith(`${withBoth}, params: { id: FolderIdText, userId: UserIdText, other: UserIdText }`, give),
  ],
  'a parameter without a schema': [/'userId' is missing/, moduleWith(`${withBoth}, params: { id: FolderIdText }`, give)],
  'no schemas at all': [/'params' is missing/, moduleWith(withBoth, give)],
  'parameters of a route without any': [/ZodPipe/, moduleWith(`${base}, route: 'GET /folder', params: { id: FolderIdText }`, give)],
  'a setting that no route may name': [/never/, moduleWith(`${base}, route: 'GET /search/<brand>'`, give)],
  'an id of another kind': [/UserId|"user"/, moduleWith(withId, '({ params }) { const id: UserId = params.id; return { id } }')],
  'a parameter that nobody declared': [/'other'/, moduleWith(withId, '({ params }) { return { id: params.other } }')],
  'a field that no endpoint has': [/never/, moduleWith(`${withId}, rerturns: 5`, give)],
  'a redirect that is not declared': [/redirect/, moduleWith(withId, "() { return redirect('https://host.example/') }")],
  'a creation that is not declared': [/created/, moduleWith(`${withId}, also: ['redirect']`, '() { return created() }')],
  'a 202 that is not declared': [/accepted/, moduleWith(withId, '() { return accepted({ progress: 5 }) }')],
  'a 200 that is not declared': [/id: number/, moduleWith(`access: 'user', uses: {}, route: 'GET /a', also: ['redirect']`, give)],
  'a 200 of another shape': [/string/, moduleWith(withId, "() { return { id: 'one' } }")],
  'an answer of another shape under a tag': [/string/, moduleWith(withId, "() { return tagged([1], async () => ({ id: 'one' })) }")],
  'JSON text instead of a file': [
    /JsonText/,
    moduleWith(`access: 'user', uses: {}, route: 'GET /a', returns: { mediaType: 'image/jpeg' }`, "() { return jsonText('{}') }"),
  ],
  'a tool that is not declared': [/'exiftool'/, moduleWith(withId, '({ exiftool }) { used.push(exiftool); return { id: 1 } }')],
  'a resource that is not declared': [/'media'/, moduleWith(withId, '({ media }) { used.push(media); return { id: 1 } }')],
  'the caller of anyone': [/'access'/, moduleWith(`${withId.replace("'user'", "'anyone'")}`, '({ access }) { return { id: access } }')],
  'a user where applications may call': [
    /'user' does not exist/,
    moduleWith(withId.replace("'user'", "'user or application'"), '({ access }) { return { id: access.caller.user.userId } }'),
  ],
}

describe('the type of an endpoint', () => {
  const fileOf = (name: string) => name.replaceAll(/\W+/g, '-')
  let lines: string[]
  beforeAll(async () => {
    const sources = { right: moduleWith(withId, '({ params }) { const id: FolderId = params.id; return { id } }') }
    for (const [name, [, source]] of Object.entries(wrong)) Object.assign(sources, { [fileOf(name)]: source })
    lines = (await typeErrors(sources)).split('\n')
  })
  /** The first complaint, with the lines that explain it. */
  const complaintOf = (name: string) => {
    const first = lines.findIndex((line) => line.startsWith(`${fileOf(name)}.ts`))
    const next = lines.findIndex((line, at) => at > first && !line.startsWith(' '))
    return first < 0 ? '' : lines.slice(first, next).join('\n')
  }

  test('takes what is declared', () => assert.equal(complaintOf('right'), ''))
  for (const [name, [complaint]] of Object.entries(wrong)) test(`refuses ${name}`, () => assert.match(complaintOf(name), complaint))
})
