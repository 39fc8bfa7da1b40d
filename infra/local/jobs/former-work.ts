import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { embeddedLayout } from '../../../shared/backends/disk/layout.ts'
import type { Key, Operation } from '../../../shared/backends/table/port.ts'
import { findResetRequest } from '../../../shared/library/accounts/password-reset-requests.ts'
import { asRead, held } from '../../../shared/library/concurrency/conditional.ts'
import { DUE_ATTRIBUTES, type Due, dueKeys } from '../../../shared/library/due.ts'
import { transcodingEnded } from '../../../shared/library/encodings/outcome.ts'
import type { Writing } from '../../../shared/library/library.ts'
import { getLink } from '../../../shared/library/links/link.ts'
import { askForPublication, type NamedLink } from '../../../shared/library/links/publication.ts'
import { askForMail, type MailInput } from '../../../shared/library/mail/job.ts'
import { askForCopies } from '../../../shared/library/media/copy-job.ts'
import { getMany, getMedia } from '../../../shared/library/media/find.ts'
import { askForImport } from '../../../shared/library/media/import-job.ts'
import { isAvailable } from '../../../shared/library/media/media.ts'
import { isWaiting, suggestionJobOf } from '../../../shared/library/media/suggestions.ts'
import { everyItem } from '../../../shared/library/pages.ts'
import { askForInvalidation } from '../../../shared/library/publishing/invalidation.ts'
import { masterJob } from '../../../shared/library/publishing/public-objects.ts'
import { askForRemoval, type Deleted, deletionOf } from '../../../shared/library/tree/folder-changes.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { askForEncoding } from '../../../shared/library/videos/job.ts'
import { getVideo } from '../../../shared/library/videos/video.ts'
import { askForZip } from '../../../shared/library/zips/job.ts'
import { findZip } from '../../../shared/library/zips/zip.ts'
import {
  type CompanyId,
  type FolderId,
  type LinkId,
  type MediaId,
  toCliqueId,
  toFolderId,
  toLinkId,
  toMediaId,
} from '../../../shared/vocabulary/ids.ts'

type DataLayout = ReturnType<typeof embeddedLayout>

/** The queues of earlier versions whose messages are jobs now: what asks for the job of a message. */
const formerQueues: Readonly<Record<string, (library: Writing, message: never) => Promise<Operation | undefined>>> = {
  async imports(library, { mediaId }: { mediaId: MediaId }) {
    const media = await getMedia(library, mediaId)
    return media && !isAvailable(media) ? askForImport(library, media) : undefined
  },
  async suggestions(library, { mediaId }: { mediaId: MediaId }) {
    const media = await getMedia(library, mediaId)
    return media && suggestionJobOf(library, media)
  },
  async masters(library, { companyId, linkId, revision }: { companyId: CompanyId; linkId: LinkId; revision: number }) {
    return masterJob.ask(library, { companyId, subject: `${linkId}.${revision}`, input: { linkId, revision } })
  },
  async links(library, { companyId, ...link }: { companyId: CompanyId } & NamedLink) {
    return Object.values(askForPublication(library, companyId, [link]))[0]
  },
  async invalidations(library) {
    return Object.values(askForInvalidation(library))[0]
  },
  async downloads(library, { mediaIds }: { mediaIds: MediaId[] }) {
    const [media] = await getMany(library, mediaIds)
    return media && askForCopies(library, media.companyId, mediaIds)
  },
  async zips(library, { jobId }: { jobId: string }) {
    const zip = await findZip(library, jobId)
    return zip && askForZip(library, zip)
  },
  async removals(
    library,
    { companyId, ...deleted }: { companyId: CompanyId } & Exclude<Deleted, { shareId: string } | { userId: unknown }>,
  ) {
    return askForRemoval(library, companyId, 'folderId' in deleted ? { folderId: deleted.folderId } : { cliqueId: deleted.cliqueId })
  },
  async encodings(library, video: { companyId: CompanyId; mediaId: MediaId }) {
    return askForEncoding(library, video)
  },
  async mails(library, mail: FormerMail) {
    const about = await recordOf(library, mail)
    return about && askForMail(library, about.companyId, mail)
  },
}

/** What the queue of e-mails held. */
type FormerMail = Exclude<MailInput, { quota: unknown } | { webhook: unknown } | { invitation: unknown } | { forgotten: unknown }>

/** The record of what an e-mail tells of. */
function recordOf(library: Writing, mail: FormerMail): Promise<{ companyId: CompanyId } | undefined> {
  if ('zip' in mail) return findZip(library, mail.zip)
  return 'stream' in mail ? getVideo(library, mail.stream) : findResetRequest(library, mail.passwordReset)
}

/**
 * Makes jobs of what an earlier version left undone: of messages in its queues, dead letters too, of the encodes in its store, and of records whose
 * message was lost. It deletes the files of both. May be repeated, and ended anywhere.
 */
export async function jobsOfFormerWork(files: Pick<DataLayout, 'queues' | 'transcoding'>, library: Writing): Promise<void> {
  await jobsOfMessages(files.queues, library)
  await jobsOfEncodes(files.transcoding, library)
  for (const pk of dueKeys('JOB')) {
    for await (const key of everyItem<Key>(library.table, { index: 'trashDue', pk, sk: {} })) await giveJob(library, key)
  }
}

async function jobsOfMessages(file: string, library: Writing): Promise<void> {
  if (!existsSync(file)) return
  for (const { queue, body } of messagesIn(file)) {
    const job = await formerQueues[queue]?.(library, JSON.parse(body) as never)
    if (job) await library.table.transact({ job })
  }
  await removeDatabase(file)
}

/** The jobs of videos find that the transcoder knows nothing of what they wait for, and begin it again. */
async function jobsOfEncodes(file: string, library: Writing): Promise<void> {
  if (!existsSync(file)) return
  for (const video of encodesIn(file)) await transcodingEnded(library, video)
  await removeDatabase(file)
}

async function removeDatabase(file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
}

/** The videos of encodes that have not ended, or whose end was not told. */
function encodesIn(file: string): { companyId: CompanyId; mediaId: MediaId }[] {
  using store = new DatabaseSync(file)
  if (!store.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'jobs'").get()) return []
  return store
    .prepare('SELECT job FROM jobs WHERE is_told = 0')
    .all()
    .map(({ job }) => JSON.parse(String(job)))
}

function messagesIn(file: string): { queue: string; body: string }[] {
  using queues = new DatabaseSync(file)
  const hasMessages = queues.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'messages'").get()
  if (!hasMessages) return []
  const messages = queues.prepare('SELECT DISTINCT queue, body FROM messages ORDER BY queue, body').all()
  return messages.map(({ queue, body }) => ({ queue: String(queue), body: String(body) }))
}

type FormerRecord = Key & Partial<Due> & { companyId: CompanyId }

/** Gives a record its job that waits without one, and takes it out of the index of what is due. */
async function giveJob(library: Writing, key: Key): Promise<void> {
  const record = await library.table.get<FormerRecord>(key)
  if (record?.dueAt === undefined) return
  if (key.sk.startsWith('FOLDER#')) return removeFolder(library, record.companyId, toFolderId(Number(key.sk.slice('FOLDER#'.length))))
  const job = await jobOf(library, record)
  const isUnchanged = { dueAt: asRead(record.dueAt) }
  // The record of a clique that is gone says nothing else than that its memberships are to be removed.
  const undue: Operation =
    key.sk === 'REMOVAL' ? { delete: key, if: isUnchanged } : { update: key, changes: { remove: DUE_ATTRIBUTES }, if: isUnchanged }
  await held(library.table.transact({ undue, ...(job && { job }) }))
}

/** The write that asks for the job of a record. Undefined where nothing waits any more. */
async function jobOf(library: Writing, { pk, sk, companyId }: FormerRecord): Promise<Operation | undefined> {
  const [kind, name] = [pk.slice(0, pk.indexOf('#')), pk.slice(pk.indexOf('#') + 1)]
  if (kind === 'CLIQUE') return askForRemoval(library, companyId, { cliqueId: toCliqueId(Number(name)) })
  if (kind === 'ZIP') return jobOfZip(library, name)
  if (kind === 'LINK') {
    const link = await getLink(library, toLinkId(name))
    return link && Object.values(askForPublication(library, companyId, [link]))[0]
  }
  if (kind !== 'MEDIA') return undefined
  const mediaId = toMediaId(Number(name))
  if (sk === 'VIDEO') return askForEncoding(library, { companyId, mediaId })
  const media = await getMedia(library, mediaId)
  if (media && !isAvailable(media)) return askForImport(library, media)
  return isWaiting(media) ? suggestionJobOf(library, media) : undefined
}

async function jobOfZip(library: Writing, jobId: string): Promise<Operation | undefined> {
  const zip = await findZip(library, jobId)
  return zip?.state === 'PENDING' ? askForZip(library, zip) : undefined
}

/** A folder changes with its company's tree. */
async function removeFolder(library: Writing, companyId: CompanyId, folderId: FolderId): Promise<void> {
  await changeTree(library, companyId, (tree) => {
    const [folder] = tree.stored(new Set([folderId]))
    return folder?.deleted !== undefined && folder.dueAt !== undefined ? deletionOf(library, folder) : undefined
  })
}
