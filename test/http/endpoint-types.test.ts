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

/** What compiles, and what must not: by name, with the name of what the compiler complains of. */
const right: Record<string, string> = {
  'a parameter has the type of its schema': moduleWith(withId, '({ params }) { const id: FolderId = params.id; return { id } }'),
  'several parameters': moduleWith(
    `${withBoth}, params: { id: FolderIdText, userId: UserIdText }`,
    '({ params }) { const id: UserId = params.userId; return { id } }',
  ),
  'the rest of a path': moduleWith(
    `${base}, route: 'GET /files/{path+}', params: { path: z.string() }`,
    '({ params }) { return { id: params.path.length } }',
  ),
  'a setting in a route': moduleWith(
    `${base}, route: 'GET /search/<vendor>/folder/{id}', params: { id: FolderIdText }`,
    '({ params }) { return { id: params.id } }',
  ),
  'a route without parameters': moduleWith(`${base}, route: 'GET /folder'`, give),
  'the caller of a user endpoint is a user': moduleWith(
    withId,
    '({ access, by }) { used.push(by); return { id: access.caller.user.userId } }',
  ),
  'a tool that is declared': moduleWith(
    withId.replace("{ table: 'read' }", "{ exiftool: 'use' }"),
    "({ exiftool }) { used.push(exiftool.readTags('/path', 'name')); return { id: 1 } }",
  ),
  'JSON that is text already': moduleWith(withId, "() { return jsonText('{}') }"),
  'an answer under a tag': moduleWith(withId, '() { return tagged([1], async () => ({ id: 1 })) }'),
  'text under a tag': moduleWith(withId, "() { return tagged([1], async () => jsonText('{}')) }"),
  'answers that are declared': moduleWith(
    `${withId}, accepted: z.object({ progress: z.number() }), also: ['redirect', 'created', 'no content', 'unavailable']`,
    `({ params: { id } }) {
      if (id === 1) return redirect('https://host.example/')
      if (id === 2) return created()
      if (id === 3) return noContent()
      if (id === 4) return unavailable({ id })
      return id === 5 ? accepted({ progress: 5 }) : { id }
    }`,
  ),
}
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
    const sources = { ...right, ...Object.fromEntries(Object.entries(wrong).map(([name, [, source]]) => [name, source])) }
    const modules = Object.fromEntries(Object.entries(sources).map(([name, source]) => [fileOf(name), source]))
    lines = (await typeErrors(modules)).split('\n')
  })
  /** The first complaint, with the lines that explain it. */
  const complaintOf = (name: string) => {
    const first = lines.findIndex((line) => line.startsWith(`${fileOf(name)}.ts`))
    const next = lines.findIndex((line, at) => at > first && !line.startsWith(' '))
    return first < 0 ? '' : lines.slice(first, next).join('\n')
  }

  for (const name of Object.keys(right)) test(`takes ${name}`, () => assert.equal(complaintOf(name), ''))
  for (const [name, [complaint]] of Object.entries(wrong)) test(`refuses ${name}`, () => assert.match(complaintOf(name), complaint))
})
