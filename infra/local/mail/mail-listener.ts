import type { AnsweredPage } from '../../../shared/http/page.ts'
import type { Log } from '../../../shared/log/log.ts'
import { targetOf } from '../http/api-event.ts'
import type { RequestListener } from '../http/http-server.ts'
import { newestMails, readMail } from './outbox.ts'
import { htmlPart, LISTED, listPage, MAIL_PATH, mailPage, missingPage } from './pages.ts'

export interface MailPages {
  /** Of the e-mails that the service wrote. */
  folder: string
  /** The host that e-mails go to instead, where a mail server is set. */
  mailServer: string | undefined
  log: Log
}

/** Whether a request is for these pages. Others of their paths are the API's, which knows none. */
export function asksForMail(method: string | undefined, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && (path === MAIL_PATH || path.startsWith(`${MAIL_PATH}/`))
}

/** Shows the e-mails of the outbox. It must be asked by this machine alone (this-machine.ts): they hold codes for new passwords. */
export function mailListener({ folder, mailServer, log }: MailPages): RequestListener {
  async function pageAt(path: string): Promise<{ status: number; page: AnsweredPage }> {
    const [name = '', part, ...others] = path.slice(MAIL_PATH.length + 1).split('/')
    if (name === '' && part === undefined) return { status: 200, page: listPage(await newestMails(folder, LISTED), mailServer) }
    const mail = others.length === 0 && (part === undefined || part === 'html') ? await readMail(folder, name) : undefined
    if (!mail) return { status: 404, page: missingPage() }
    return { status: 200, page: part === 'html' ? htmlPart(mail) : mailPage(mail) }
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
