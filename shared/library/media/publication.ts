import { randomUUID } from 'node:crypto'
import type { Operations } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { LinkRecord } from './link.ts'

/** A link as a job knows it, whose record may be gone. */
export type NamedLink = Pick<LinkRecord, 'linkId' | 'alias'>

/** Brings the public bucket to what a link says. A job that names several links asks for a job of each. */
export const publication = new JobKind<NamedLink | { links: NamedLink[] }>('publish-link')

/** Jobs that one transaction asks for. */
const AT_ONCE = 50

/**
 * The write that asks for the publication of links, in the transaction that changes what they show, or makes the file available that they
 * show. It is one however many links there are, because transactions have little room.
 */
export function askForPublication(library: Pick<Writing, 'clock' | 'by'>, companyId: CompanyId, links: readonly NamedLink[]): Operations {
  const [first, ...others] = links.map(({ linkId, alias }) => ({ linkId, alias }))
  if (!first) return {}
  if (others.length === 0) return publicationOf(library, companyId, first)
  const subject = randomUUID()
  return { [`publication ${subject}`]: publication.ask(library, { companyId, subject, input: { links: [first, ...others] } }) }
}

/** Asks for a job of each link. Idempotent. */
export async function askForEach(library: Writing, companyId: CompanyId, links: readonly NamedLink[]): Promise<void> {
  for (let start = 0; start < links.length; start += AT_ONCE) {
    const some = links.slice(start, start + AT_ONCE)
    await library.table.transact(Object.assign({}, ...some.map((link) => publicationOf(library, companyId, link))))
  }
}

function publicationOf(library: Pick<Writing, 'clock' | 'by'>, companyId: CompanyId, { linkId, alias }: NamedLink): Operations {
  return { [`publication ${linkId}`]: publication.ask(library, { companyId, subject: linkId, input: { linkId, alias } }) }
}
