import { timingSafeEqual } from 'node:crypto'
import type { AnsweredPage } from '../../../shared/http/declaration/page.ts'
import type { Log } from '../../../shared/log/log.ts'
import { targetOf } from '../http/api-event.ts'
import type { RequestListener } from '../http/http-server.ts'
import { newestMails, readMail } from './outbox.ts'
import { htmlPart, LISTED, listPage, mailPage, missingPage } from './pages.ts'

export interface MailPages {
  /** Where the pages are; it holds a secret. */
  root: string
  /** Of the e-mails that the service wrote. */
  folder: string
  /** The host that e-mails go to instead, where a mail server is set. */
  mailServer: string | undefined
  log: Log
}

/** Whether a request is for these pages. Others of their paths are the API's, which knows none. */
export function asksForMail(root: string, method: string | undefined, path: string): boolean {
  const [wanted, given] = [Buffer.from(root), Buffer.from(path.slice(0, root.length))]
  const isBelow = path.length === root.length || path[root.length] === '/'
  return (method === 'GET' || method === 'HEAD') && isBelow && given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Shows the e-mails of the outbox. It must be asked by this machine alone (this-machine.ts): they hold codes for new passwords. */
export function mailListener({ root, folder, mailServer, log }: MailPages): RequestListener {
  async function pageAt(path: string): Promise<{ status: number; page: AnsweredPage }> {
    const [name = '', part, ...others] = path.slice(root.length + 1).split('/')
    if (name === '' && part === undefined) return { status: 200, page: listPage(root, await newestMails(folder, LISTED), mailServer) }
    const mail = others.length === 0 && (part === undefined || part === 'html') ? await readMail(folder, name) : undefined
    if (!mail) return { status: 404, page: missingPage(root) }
    return { status: 200, page: part === 'html' ? htmlPart(mail) : mailPage(root, mail) }
  }

  return async (request, response, requestId) => {
    try {
      const { status, page } = await pageAt(targetOf(request.url ?? '/').path)
      response.writeHead(status, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Length': Buffer.byteLength(page.html),
        'Content-Security-Policy': page.policy,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      response.end(page.html)
    } catch (error) {
      log.error('the page of e-mails failed', { id: requestId, error })
      response.writeHead(500).end()
    }
  }
}
