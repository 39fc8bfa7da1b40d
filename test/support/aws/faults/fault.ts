import type { IncomingHttpHeaders } from 'node:http'

/** A request of an AWS client on its way to an engine, or what the engine answered. */
export interface Exchanged {
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Request extends Exchanged {
  method: string
  /** With the query. */
  path: string
}

export interface Answer extends Exchanged {
  status: number
}

/** What the client sees: an answer (broken off after `cutAfter` bytes of its body where given), a connection that breaks, or nothing, ever. */
export type Outcome = (Answer & { cutAfter?: number }) | 'broken' | 'silence'

/** What goes wrong with a request. `forward` has the engine carry it out. */
export type Fault = (request: Request, forward: (request: Request) => Promise<Answer>) => Promise<Outcome>

/** The engine carries the request out, and the connection breaks before its answer. */
export const lost: Fault = async (request, forward) => {
  await forward(request)
  return 'broken'
}

/** The engine carries the request out, and its answer never comes. */
export const unanswered: Fault = async (request, forward) => {
  await forward(request)
  return 'silence'
}

/** The connection breaks in the middle of the answer's body. */
export const cutOff: Fault = async (request, forward) => {
  const answer = await forward(request)
  return { ...answer, cutAfter: Math.floor(answer.body.length / 2) }
}

/** The service refuses the request as S3 does (with status 200 where the work was begun); the engine doesn't see it. */
export function xmlRefusal(status: number, code: string): Fault {
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>injected ${code}</Message></Error>`)
  return async ({ method }) => ({
    status,
    headers: { 'content-type': 'application/xml' },
    body: method === 'HEAD' ? Buffer.alloc(0) : body,
  })
}
