/** All problems that `check` can find, with their messages; `{…}` is an id of the problem. Codes are stable, for scripts. */
const sentences = {
  // Files and pointers. For a folder that was purged, `folder_id` is the contents id to which its files refer.
  pointer_without_file: 'A pointer says that folder {folder_id} holds file {media_id}, which does not exist.',
  pointer_not_in_file: 'A pointer says that folder {folder_id} holds file {media_id}, whose record does not name the folder.',
  pointer_missing: 'The record of file {media_id} names folder {folder_id}, but there is no pointer.',
  read_only_without_pointer:
    'The record of file {media_id} says that its pointer in folder {folder_id} gives READ alone, and there is none.',
  pointer_not_indexed:
    'The pointer to file {media_id} in folder {folder_id} is not found by the folder: removing the folder would leave it.',
  pointer_into_unknown_folder: 'File {media_id} is in folder {folder_id}, which does not exist.',
  pointer_due_wrong: 'File {media_id} in folder {folder_id} is due to be deleted and the folder is no trashcan, or the other way round.',
  pointer_not_expired: 'File {media_id} in trashcan {folder_id} should have been deleted more than a day ago: emptying trashcans is stuck.',
  file_without_folder: 'File {media_id} is in no folder.',
  file_not_removed:
    'All folders of file {media_id} were deleted more than an hour ago, and it is still there: the job that removes it is stuck.',
  file_of_unknown_company: 'File {media_id} belongs to company {company_id}, which does not exist.',
  file_not_searchable: 'File {media_id} is not in the change feed, so that search does not find it.',
  import_stuck: 'The import of file {media_id} failed, or has not ended for more than a day.',
  import_not_swept: 'File {media_id} is being imported, and has no job.',
  suggestions_not_swept: 'Keywords are to be suggested for file {media_id}, and it has no job.',
  // Numbers of files. `object` is the item.
  number_without_file: 'A number of file {media_id} ({object}) is there, and the file does not exist.',
  file_number_wrong: 'A former number of file {media_id} ({object}) is that of the current file, or was never given.',
  version_bytes_wrong: 'The bytes that only former numbers of file {media_id} hold are counted wrongly.',
  replacement_stuck: 'A replacement of file {media_id} was uploaded more than a day ago, and its import has not ended.',
  replacement_not_swept: 'File {media_id} is to be replaced, and has no job.',
  // The stock catalogue. `object` is the item's record.
  stock_item_without_file: 'An item of the stock catalogue ({object}) names file {media_id}, which does not exist or is of another item.',
  file_of_unknown_item: 'File {media_id} is of an item of the stock catalogue ({object}), which does not exist or names another file.',
  stock_file_wrong:
    'An item of the stock catalogue ({object}) is said to have a file and file {media_id} has no bytes, or the other way round.',
  // Objects. Of an original of a former number `object` says which.
  object_missing: 'Of file {media_id} the object {object} is not stored.',
  original_size_wrong: 'The original of file {media_id} has another size than the file: its bytes are not those that were imported.',
  original_md5_wrong: 'The original of file {media_id} has another MD5 than the file: its bytes are not those that were imported.',
  original_unreadable: 'The original of file {media_id} cannot be read',
  object_unexpected: 'The object {object} is stored as one of file {media_id}, which does not need it.',
  objects_without_file: 'The objects below {object} are of file {media_id}, which does not exist.',
  download_not_stored: 'A download of file {media_id} is said to be prepared, and the object {object} is not stored, or has another size.',
  download_without_file: 'A download is prepared of file {media_id}, which does not exist.',
  download_unrecorded: 'The object {object} lies among prepared downloads, and no record names it.',
  download_due_wrong: 'A prepared download of file {media_id} would never be removed.',
  download_not_expired: 'A prepared download of file {media_id} should have been removed more than a day ago: that job is stuck.',
  profile_image_without_user: 'The object {object} is the picture of user {user_id}, who does not exist.',
  profile_image_unused: 'The object {object} is a picture that user {user_id} no longer has.',
  logo_unused: 'The object {object} is a logo that company {company_id} no longer has, or that does not exist.',
  unknown_object: 'The object {object} is of no known kind.',
  // Videos.
  video_not_removed:
    'File {media_id} was deleted more than a day ago, and what was made of it as a video is still there: the job that removes it is stuck.',
  video_object_missing: 'Of video {media_id} the object {object} is not stored.',
  video_object_unexpected: 'The object {object} is stored as one of video {media_id}, which does not need it.',
  video_without_job: 'Video {media_id} is being encoded, and has no job.',
  video_stuck: 'A preview or a stream of video {media_id} was asked for more than a week ago: the job that makes it is stuck.',
  stream_of_no_video: 'The objects below {object} are of a stream that no video has.',
  // Zips.
  zip_not_stored: 'A zip of folder {folder_id} is said to be there, and its archive {object} is not stored.',
  zip_unrecorded: 'The object {object} lies among those of zips, and there is no such zip.',
  zip_stuck: 'A zip of folder {folder_id} was asked for more than a day ago, and has not ended: the job that makes it is stuck.',
  zip_without_job: 'A zip of folder {folder_id} is to be made, and has no job.',
  zip_without_expiry: 'A zip of folder {folder_id} would never be removed.',
  latest_zip_missing: 'The latest zip that somebody asked for of folder {folder_id} does not exist.',
  // Search indexes.
  snapshot_missing: 'The snapshot {object} of the search index of company {company_id} is not stored, or has another size.',
  snapshot_unused: 'The object {object} is a snapshot of the search index of company {company_id} that nothing needs any more.',
  snapshot_not_swept: 'Snapshots of the search index of company {company_id} were replaced, and no job removes them.',
  // Links. `object` is the item of the link, or an object of the public bucket.
  link_missing: 'The record of file {media_id} names a link ({object}) that does not show it.',
  link_not_in_file: 'A link ({object}) shows file {media_id}, which does not exist, or whose record does not name the link.',
  link_under_wrong_alias: 'A link ({object}) shows what lies in folder {folder_id}, which does not publish under its alias.',
  link_stuck: 'A link ({object}) has changed more than a day ago, and what it shows is not published everywhere: a job is stuck.',
  link_without_job: 'A link ({object}) is to be published, and has no job.',
  link_not_invalidated: 'Edges are to be told what a link ({object}) shows, and nothing says so.',
  invalidation_of_no_link: 'Edges are to be told of a link that does not exist ({object}).',
  invalidation_stuck: 'Edges should have been told of a link or a stream ({object}) more than a day ago: that job is stuck.',
  public_object_missing:
    'Of a link in folder {folder_id} the object {object} is not in the public bucket, or has another size than file {media_id}.',
  public_object_unexpected: 'The object {object} is in the public bucket, and no link needs it.',
  presets_stuck:
    'Presets or aliases of company {company_id} have changed more than a day ago, and renderers do not know it: a job is stuck.',
  presets_without_job: 'Presets or aliases of company {company_id} have changed, and no job tells renderers.',
  presets_not_published:
    'Renderers know something else of the alias {alias} than company {company_id} has said. Tell them again with: cdn set --alias {alias} --presets-only on (or off)',
  preset_without_claim: 'The id {preset_id} of a preset of company {company_id} is not claimed.',
  preset_claim_without_preset: 'The id {preset_id} is claimed for a preset of company {company_id}, which has no such preset.',
  // Folders.
  folder_without_parent: 'Folder {folder_id} lies in a folder that does not exist.',
  folder_in_cycle: 'Folder {folder_id} lies below itself.',
  folder_not_removed:
    'Folder {folder_id} was deleted more than a day ago, and its record is still there: the job that removes it is stuck.',
  folder_removal_without_job: 'Folder {folder_id} is deleted, and no job removes what it held.',
  folder_due_wrong: 'Folder {folder_id} is due to be deleted and does not lie in a trashcan, or the other way round.',
  folder_not_expired: 'Folder {folder_id} in a trashcan should have been deleted more than a day ago: emptying trashcans is stuck.',
  folder_without_claim: 'The id {folder_id} is in use by a folder, and is not claimed.',
  folder_claim_without_folder: 'The id {folder_id} is claimed, and no folder has it.',
  alias_without_claim: 'Folder {folder_id} has the alias {alias}, which is not claimed for it: somebody else could take it.',
  alias_without_folder: 'The alias {alias} is claimed for folder {folder_id}, which does not have it.',
  file_not_linked:
    'File {media_id} is in folder {folder_id}, whose alias is {alias}, and has no link there. Make it with: cdn alias add --company {company_id} --alias {alias}',
  alias_not_removed:
    'The removal of the alias {alias} of folder {folder_id} began more than a day ago. Finish it with: cdn alias remove --company {company_id} --alias {alias}',
  folders_of_unknown_company: 'There are folders of company {company_id}, which does not exist.',
  tree_version_wrong: 'The version of the folders of company {company_id} is behind the log of their changes.',
  // Companies, users, keys.
  company_not_listed: 'Company {company_id} is not in the list of companies.',
  listed_company_missing: 'The list of companies names company {company_id}, which does not exist.',
  username_unclaimed: 'The name of user {user_id} is not claimed: somebody else could take it.',
  username_of_nobody: 'A username is claimed for user {user_id}, who does not exist or has another one.',
  user_not_listed: 'User {user_id} belongs to company {company_id} and is not in its list of users.',
  listed_user_not_member: 'The list of users of company {company_id} names user {user_id}, who does not exist or does not belong to it.',
  member_of_unknown_company: 'User {user_id} belongs to company {company_id}, which does not exist.',
  key_not_listed: 'API key {key_id} is not in the list of keys of company {company_id}.',
  key_without_id: 'The id of API key {key_id} is not claimed.',
  key_of_unknown_company: 'API key {key_id} belongs to company {company_id}, which does not exist.',
  listed_key_missing: 'The list of keys of company {company_id} names API key {key_id}, which does not exist.',
  // Cliques.
  clique_not_listed: 'Clique {clique_id} is not in the list of cliques of company {company_id}.',
  clique_of_unknown_company: 'Clique {clique_id} belongs to company {company_id}, which does not exist.',
  listed_clique_missing: 'The list of cliques of company {company_id} names clique {clique_id}, which does not exist.',
  clique_not_removed:
    'Clique {clique_id} was deleted more than a day ago, and its members are listed still: the job that removes it is stuck.',
  share_of_unknown_folder: 'Folder {folder_id} is shared with clique {clique_id}, and does not exist.',
  membership_missing: 'The record of user {user_id} names clique {clique_id}, of which there is no membership.',
  membership_not_of_user: 'User {user_id} is listed as member of clique {clique_id}, and their record does not name it.',
  membership_of_unknown_clique: 'User {user_id} is listed as member of clique {clique_id}, which does not exist.',
  membership_without_id: 'The id {membership_id} of the membership of user {user_id} in clique {clique_id} is not claimed.',
  membership_id_of_nothing:
    'The id {membership_id} is claimed for a membership of user {user_id} in clique {clique_id} that does not exist.',
  // Disk usage.
  usage_wrong: 'The disk usage of user {user_id} in company {company_id} is counted wrongly',
  // The check itself.
  unreadable_item: 'The item {object} of the table lacks what an item of its kind must have.',
  too_many_problems: 'There are more problems than are listed here.',
} as const

export type ProblemCode = keyof typeof sentences

/** The subject of a problem: ids of the interface, and `object`: the key of an object or the address of an item. */
export interface Ids {
  company_id?: number
  user_id?: number
  key_id?: number
  folder_id?: number
  media_id?: number
  clique_id?: number
  membership_id?: number
  preset_id?: number
  alias?: string
  object?: string
}

/** Something that is wrong, as `check --json` prints it. */
export interface Problem extends Ids {
  problem: ProblemCode
  /** A sentence for people. */
  message: string
}

/** @param more end of the message */
export function problem(code: ProblemCode, ids: Ids, more = ''): Problem {
  const message = sentences[code].replace(/\{(\w+)\}/g, (_, id: keyof Ids) => String(ids[id])) + more
  return { problem: code, ...ids, message }
}

/** Identifies a problem, whatever its message says. */
export function identityOf({ message: _, ...rest }: Problem): string {
  return JSON.stringify(rest)
}
