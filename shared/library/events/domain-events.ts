import type { Actor } from '../actor.ts'
import type { MediaRecord } from '../media/media.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { Records } from './records.ts'

type OfFile = Pick<MediaRecord, 'companyId' | 'mediaId'>
type OfFolder = Pick<FolderRecord, 'companyId' | 'folderId'>
type OfClique = Pick<Records['clique'], 'companyId' | 'cliqueId'>
type OfUser = Pick<Records['user'], 'userId'>

/** All that the library tells of itself: names of events, and what each tells besides `by`. Past tense: it is committed. */
export interface DomainEvents {
  /** An upload was finalized. Its file is to be imported. */
  'media.uploaded': OfFile
  /** A file has become available. */
  'media.imported': OfFile
  /** A file that search engines know, or are to know, has a revision that they don't know yet. */
  'media.revised': OfFile
  /** Other folders hold a file, or a pointer gives other rights: contents ids of the folders that it was put into, taken from, or is otherwise in. */
  'media.placed': OfFile & { added: MediaRecord['folders']; removed: MediaRecord['folders']; changed: MediaRecord['folders'] }
  /** A file was deleted for good. Its objects are to be removed; `uploadKey` is that of the posted file, if the import has left it. */
  'media.removed': OfFile & Partial<Pick<MediaRecord, 'uploadKey' | 'kind'>>
  /** A job waits for a run. */
  'job.waits': Pick<Records['job'], 'companyId' | 'kind'>
  'folder.created': OfFolder & Pick<FolderRecord, 'parent'>
  /** A folder has another parent, a trashcan perhaps. */
  'folder.moved': OfFolder & { from: FolderRecord['parent']; to: FolderRecord['parent'] }
  'folder.renamed': OfFolder & { folderName: FolderRecord['name'] }
  'folder.tagged': OfFolder & Pick<FolderRecord, 'tags'>
  /** A folder was emptied for good. */
  'folder.purged': OfFolder
  /** A folder grants users other rights: what each has by the folder now, by user id. */
  'grant.changed': OfFolder & Pick<FolderRecord, 'grants'>
  'clique.created': OfClique
  /** A clique has another name or picture. */
  'clique.changed': OfClique
  /** A clique shares folders otherwise: what it gives now, by folder id; nothing where it ended. */
  'share.changed': OfClique & Pick<Records['clique'], 'shares'>
  'user.created': OfUser
  /** A user has another name, address, password or picture, is in other companies, or was enabled or disabled. */
  'user.changed': OfUser
  /** A user joined or left cliques. */
  'membership.changed': OfUser & { joined: Records['user']['cliques']; left: Records['user']['cliques'] }
  'company.created': Pick<Records['company'], 'companyId'>
  'key.created': Pick<Records['apiKey'], 'companyId' | 'keyId'>
}

export type EventName = keyof DomainEvents

type AnyEvent = { [Name in EventName]: { readonly name: Name; readonly by?: Actor } & Readonly<DomainEvents[Name]> }[EventName]

/** An event with its name, and who made the change that it tells of. Unknown where the record is of an earlier version. */
export type DomainEvent<Name extends EventName = EventName> = Extract<AnyEvent, { name: Name }>
