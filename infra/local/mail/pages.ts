import type { Address } from 'postal-mime'
import { type AnsweredPage, selfContainedPage } from '../../../shared/http/declaration/page.ts'
import type { SentMail } from './outbox.ts'

/** Where the pages are. Other users of this machine don't know the secret. */
export const mailPath = (secret: string): string => `/_local/mail/${secret}`

/** Most e-mails in the list. */
export const LISTED = 100

/**
 * The list of e-mails, newest first.
 * @param root where the pages are
 * @param mailServer the host that e-mails go to instead of the outbox
 */
export function listPage(root: string, mails: readonly SentMail[], mailServer: string | undefined): AnsweredPage {
  const elsewhere =
    mailServer === undefined ? '' : `<p><strong>E-mails go to ${escaped(mailServer)} (<code>MAIL_URL</code>), not here.</strong></p>`
  const rows = mails.map(
    ({ name, date = '', to, subject = '' }) =>
      `<tr><td>${escaped(date)}</td><td>${escaped(addressesOf(to))}</td><td><a href="${root}/${escaped(name)}">${escaped(subject) || '(no subject)'}</a></td></tr>`,
  )
  const table = `<table><thead><tr><th>Time</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
  const body = mails.length === 0 ? '<p>There are no e-mails.</p>' : table
  const note = `The newest ${LISTED} of the folder <code>mail</code> in the data folder. Only this machine sees this page.`
  return page('E-mails', `${elsewhere}${body}<p class="note">${note}</p>`)
}

/** One e-mail: headers, text, HTML. */
export function mailPage(root: string, { name, from, to, subject = '', date = '', headers, text = '', html }: SentMail): AnsweredPage {
  const shown = Object.entries({ From: addressesOf(from && [from]), To: addressesOf(to), Subject: subject, Date: date })
  const facts = shown.map(([term, value]) => `<dt>${term}</dt><dd>${escaped(value)}</dd>`).join('')
  const all = headers.map((header) => `${escaped(header.originalKey)}: ${escaped(header.value)}`).join('\n')
  const frame = `<h2>HTML</h2><iframe src="${root}/${escaped(name)}/html" sandbox="${SANDBOX}" referrerpolicy="no-referrer" title="HTML of the e-mail"></iframe>`
  return page(
    subject,
    `<p><a href="${root}">All e-mails</a></p><dl>${facts}</dl>
<details><summary>All headers</summary><pre>${all}</pre></details>
<h2>Text</h2><pre>${escaped(text)}</pre>${html ? frame : ''}`,
  )
}

export function missingPage(root: string): AnsweredPage {
  return page('No such e-mail', `<p>It may have been deleted. <a href="${root}">All e-mails</a></p>`)
}

/** What an e-mail's HTML may do: open its links, in tabs that are free of it. No scripts, no forms, no storage. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/** The HTML of an e-mail as a page of its own, which loads nothing; its links open in new tabs. */
export function htmlPart({ html = '' }: SentMail): AnsweredPage {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox ${SANDBOX}`
  // Of an attribute that comes twice, browsers take the first.
  const linked = html.replace(/<(a|area)(?=[\s/])/gi, '<$1 target="_blank" rel="noopener noreferrer"')
  return { html: linked, policy }
}

function page(heading: string, body: string): AnsweredPage {
  const title = escaped(heading)
  const { html, policy } = selfContainedPage({ title, body: `<main><h1>${title}</h1>${body}</main>`, style })
  return { html, policy: `${policy}; frame-src 'self'` }
}

const style = `
main { max-width: 60rem; margin-top: 2rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dd { margin: 0 }
pre { white-space: pre-wrap; border: 1px solid; border-radius: .3rem; padding: .8rem }
iframe { box-sizing: border-box; width: 100%; height: 36rem; border: 1px solid; border-radius: .3rem }
.note { font-size: .9rem }
`

const addressesOf = (addresses: readonly Address[] = []): string =>
  addresses.map(({ name, address }) => [name, address && `<${address}>`].filter(Boolean).join(' ')).join(', ')

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
