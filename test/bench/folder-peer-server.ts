/**
 * Process that answers `GET /folder/:id` as one would write it by hand, for this endpoint alone: Fastify with its schemas, node:sqlite with a
 * table for each kind of record, pino. Who calls, what they may, answer, headers and log line are those of the service.
 * `node folder-peer-server.ts <file of a new database> <log file>` makes its data and prints its port, token and folder as JSON.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { fastify, LogController } from 'fastify'

const FOLDER = 4711
const [file, log] = process.argv.slice(2)
const sha256 = (token: string) => createHash('sha256').update(token).digest('hex')

const database = new DatabaseSync(file!)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE users (user_id INTEGER PRIMARY KEY, company_id INTEGER, admin INTEGER, disabled INTEGER, token_epoch INTEGER);
  CREATE TABLE keys (key TEXT PRIMARY KEY, key_id INTEGER);
  CREATE TABLE tokens (hash TEXT PRIMARY KEY, user_id INTEGER, key TEXT, token_epoch INTEGER, valid_until INTEGER) WITHOUT ROWID;
  CREATE TABLE folders (folder_id INTEGER PRIMARY KEY, company_id INTEGER, parent INTEGER, name TEXT, created INTEGER);
  CREATE TABLE grants (folder_id INTEGER, user_id INTEGER, rights INTEGER, PRIMARY KEY (folder_id, user_id)) WITHOUT ROWID;
`)
const token = randomBytes(32).toString('base64url')
const tomorrow = Date.now() / 1000 + 86_400
database.prepare('INSERT INTO users VALUES (1, 17, 1, 0, 1)').run()
database.prepare("INSERT INTO keys VALUES ('demo', 2)").run()
database.prepare("INSERT INTO tokens VALUES (?, 1, 'demo', 1, ?)").run(sha256(token), tomorrow)
database.prepare("INSERT INTO folders VALUES (?, 17, NULL, 'Demo', ?)").run(FOLDER, Date.now())

const callerOf = database.prepare(`
  SELECT user_id, company_id, admin, key_id FROM tokens JOIN users USING (user_id) JOIN keys USING (key)
  WHERE hash = ? AND valid_until > ? AND NOT disabled AND users.token_epoch = tokens.token_epoch`)
const folderOf = database.prepare('SELECT folder_id AS id, name, parent, company_id, created FROM folders WHERE folder_id = ?')
const rightsOf = database.prepare(`
  WITH RECURSIVE chain (folder_id, parent) AS (
    SELECT folder_id, parent FROM folders WHERE folder_id = ?
    UNION ALL SELECT folders.folder_id, folders.parent FROM folders JOIN chain ON folders.folder_id = chain.parent)
  SELECT max(rights) AS rights FROM chain JOIN grants USING (folder_id) WHERE user_id = ?`)

const integer = { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 }
const schema = {
  params: { type: 'object', properties: { id: integer }, required: ['id'] },
  response: {
    200: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        parent: { type: ['integer', 'null'] },
        company_id: { type: 'integer' },
        created: { type: 'string' },
      },
    },
  },
}

const app = fastify({
  logger: { file: log!, base: null },
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => randomUUID(),
})
app.get<{ Params: { id: number } }>('/folder/:id', { schema }, async (request, reply) => {
  reply.headers({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Svc-Request-Id': request.id,
    Vary: 'Origin',
    'Access-Control-Expose-Headers': 'X-Svc-Request-Id',
  })
  const given = /^SVC-SIMPLE-TOKEN Token=([\w-]{1,100})$/.exec(request.headers.authorization ?? '')?.[1]
  const caller = given && callerOf.get(sha256(given), Date.now() / 1000)
  if (!caller) return reply.code(401).send({ message: 'Missing or invalid authorization.', code: 'unauthorized', request_id: request.id })
  const folder = folderOf.get(request.params.id)
  const isOwn = folder?.company_id === caller.company_id
  const rights = isOwn && (caller.admin ? 1 : rightsOf.get(request.params.id, caller.user_id!)?.rights)
  if (!folder || !rights)
    return reply.code(404).send({ message: 'There is no such folder.', code: 'folder_not_found', request_id: request.id })
  const { user_id: user, key_id: key } = caller
  request.log.info({ id: request.id, route: 'GET /folder/{id}', method: 'GET', status: 200, ms: reply.elapsedTime, user, key }, 'request')
  return { ...folder, created: new Date(Number(folder.created)).toISOString() }
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
console.log(JSON.stringify({ port, authorization: `SVC-SIMPLE-TOKEN Token=${token}`, folder: FOLDER }))
