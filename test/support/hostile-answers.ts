import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Answer, breaking, never } from './answering.ts'

const MB = 1024 ** 2

/** Answers with these bytes. */
export const plain =
  (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)

export const json = (value: unknown, status = 200): Answer => plain(status, 'application/json', JSON.stringify(value))

/** Sends chunks until nobody takes them any more. */
const streaming =
  (chunks: () => AsyncGenerator<Buffer>): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    pipeline(Readable.from(chunks()), response).catch(() => undefined)
  }

async function* hundredMegabytes() {
  const chunk = Buffer.alloc(64 * 1024, 0x20)
  for (let bytes = 0; bytes < 100 * MB; bytes += chunk.length) yield chunk
}

async function* trickle() {
  for (;;) {
    yield Buffer.from(' ')
    await sleep(50)
  }
}

/** What a service may answer instead of what it should: every one of these is to be taken as no answer. */
export const hostileAnswers = {
  hangs: never,
  'sends a byte now and then': streaming(trickle),
  'breaks off': breaking,
  'answers 500': json({ error: 'broken' }, 500),
  'answers HTML': plain(200, 'text/html', '<p>Welcome</p>'),
  'answers HTML as not found': plain(404, 'text/html', '<p>nginx</p>'),
  'says of HTML that it is JSON': plain(200, 'application/json', '<p>Welcome</p>'),
  'answers bytes that are no UTF-8': plain(200, 'application/json', Buffer.from([0x22, 0xff, 0x22])),
  'nests deeply': plain(200, 'application/json', '['.repeat(900)),
  'answers nothing': plain(204, 'application/json', ''),
  'wants another key': json({}, 401),
  // Where it answers itself, too, and would count what comes.
  'redirects to loopback': plain(302, 'text/html', '', { location: '/elsewhere' }),
  'sends 100 MB': streaming(hundredMegabytes),
  'sends what unpacks to 100 MB': plain(200, 'application/json', gzipSync(Buffer.alloc(100 * MB, 0x20)), { 'content-encoding': 'gzip' }),
} satisfies Record<string, Answer>
