/**
 * Ids of different kinds have different types, so the compiler finds mix-ups. All but those of links and encodings are integers from 1 to
 * `MAX_ID`. 0 stands for nobody. Only code that makes records (`withFreshId`) or reads input (schemas, options of commands), and tests,
 * convert numbers to ids.
 */
type Id<Kind extends string> = number & { readonly [kind]: Kind }
declare const kind: unique symbol

export type CompanyId = Id<'company'>
export type UserId = Id<'user'>
export type FolderId = Id<'folder'>
/**
 * The contents of a folder: files and subfolders refer to it. A purge gives the folder a new one. Only `tree/` makes these ids and resolves
 * them to folders.
 */
export type ContentsId = Id<'contents'>
export type MediaId = Id<'media'>
export type CliqueId = Id<'clique'>
export type KeyId = Id<'key'>
/** A preset of pictures of links. */
export type PresetId = Id<'preset'>
/** A provider of OpenID Connect. */
export type ProviderId = Id<'provider'>
/** The id of a link, part of a public URL that must not be guessable: 32 lower-case hex digits. */
export type LinkId = string & { readonly [kind]: 'link' }
/** The id of an encoding, in the same form: it names the public path of a stream. */
export type EncodingId = string & { readonly [kind]: 'encoding' }
/** Names the objects of the bytes of one of a file's numbers. It is part of their keys. */
export type StoredId = string & { readonly [kind]: 'stored' }

export const toCompanyId = (id: number) => id as CompanyId
export const toUserId = (id: number) => id as UserId
export const toFolderId = (id: number) => id as FolderId
export const toContentsId = (id: number) => id as ContentsId
export const toMediaId = (id: number) => id as MediaId
export const toCliqueId = (id: number) => id as CliqueId
export const toKeyId = (id: number) => id as KeyId
export const toPresetId = (id: number) => id as PresetId
export const toProviderId = (id: number) => id as ProviderId
export const toLinkId = (id: string) => id as LinkId
export const toEncodingId = (id: string) => id as EncodingId
export const toStoredId = (id: string) => id as StoredId

/** Largest id: clients read ids as Int32. */
export const MAX_ID = 2 ** 31 - 1

/** The id that stands for no user. */
export const NOBODY = toUserId(0)

/** The company that owns the items of the stock catalogue. It has no members. */
export const CATALOGUE = toCompanyId(0)

/** Base of the media ids of a stock provider's items: the provider's own id is added. Fresh ids lie below. */
export const FIRST_PROVIDED_ID = 2_000_000_000
