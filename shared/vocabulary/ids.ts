/**
 * Ids of different things, which the compiler keeps apart: all but those of links and encodings are whole numbers from 1 to `MAX_ID`, in
 * the table, in JSON and here. 0 is no id of a record: it stands for nobody.
 * An id is made where a record is made (`withFreshId`), where input is read (schemas of params and bodies, options of commands) and in tests;
 * everywhere else it comes from a record.
 */
type Id<Kind extends string> = number & { readonly [kind]: Kind }
declare const kind: unique symbol

export type CompanyId = Id<'company'>
export type UserId = Id<'user'>
export type FolderId = Id<'folder'>
/** The contents of a folder, files and folders. A purge gives the folder other contents. Only `tree/` makes one, or tells whose it is. */
export type ContentsId = Id<'contents'>
export type MediaId = Id<'media'>
export type CliqueId = Id<'clique'>
export type KeyId = Id<'key'>
/** A provider of OpenID Connect. */
export type ProviderId = Id<'provider'>
/** The id of a link: part of a public URL that nobody may guess. 32 digits, lower-case hex. */
export type LinkId = string & { readonly [kind]: 'link' }
/** The id of an encoding, in the same form: it names the public path of a stream. */
export type EncodingId = string & { readonly [kind]: 'encoding' }

export const toCompanyId = (id: number) => id as CompanyId
export const toUserId = (id: number) => id as UserId
export const toFolderId = (id: number) => id as FolderId
export const toContentsId = (id: number) => id as ContentsId
export const toMediaId = (id: number) => id as MediaId
export const toCliqueId = (id: number) => id as CliqueId
export const toKeyId = (id: number) => id as KeyId
export const toProviderId = (id: number) => id as ProviderId
export const toLinkId = (id: string) => id as LinkId
export const toEncodingId = (id: string) => id as EncodingId

/** Largest id: clients read ids as Int32. */
export const MAX_ID = 2 ** 31 - 1

/** The user who is none. */
export const NOBODY = toUserId(0)

/** The company that the items of the stock catalogue belong to. No user belongs to it. */
export const CATALOGUE = toCompanyId(0)

/**
 * Media ids from here on are those of items of a provider of stock: its own id is added. Fresh ids lie below. Files of earlier versions may
 * have ids from here on, too: a file of ours always counts first.
 */
export const FIRST_PROVIDED_ID = 2_000_000_000
