import type { Key } from '../../backends/table/port.ts'
import { CATALOGUE, type CompanyId, toFolderId } from '../../vocabulary/ids.ts'
import { apiKeyKey, idKey, type KeyRecord, listingKey as keyListing } from '../accounts/api-keys.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { companyKey, listingKey as companyListing } from '../accounts/companies.ts'
import { type UserRecord, userKey, listingKey as userListing, usernameKey } from '../accounts/users.ts'
import { listingKey as cliqueListing } from '../cliques/clique.ts'
import { claimKey, type MembershipRecord, membershipKey } from '../cliques/members.ts'
import type { JobRecord } from '../jobs/job.ts'
import type { LinkInvalidation, NamedInvalidation, StreamInvalidation } from '../links/invalidation.ts'
import { linkKey } from '../media/link.ts'
import { type PresetClaim, type PresetsRecord, presetClaimKey, presetsKey } from '../presets/preset.ts'
import { companyPartition, contentsOf, type FolderRecord, folderClaimKey, folderKey } from '../tree/folder.ts'
import { type Deleted, removalJob, removalKey } from '../tree/folder-changes.ts'
import { type AliasClaim, aliasKey } from '../tree/system-folders.ts'
import { type LatestZip, zipKey } from '../zips/zip.ts'
import { addressOf, idIn, kindOf } from './keys.ts'
import { type Ids, type Problem, type ProblemCode, problem } from './problem.ts'

/** Members of a deleted clique are removed within minutes, links under a removed alias within hours: after a day something is stuck. */
const REMOVED_WITHIN_MS = 86_400_000

/** A record's reference to another one. */
export interface Reference {
  to: Key
  /** Whether that record must refer back. Otherwise it only must exist. */
  mutual?: boolean
  /** Alternatives: one of these may exist instead. */
  or?: readonly Key[]
  /** The problem of a broken reference. Absent where the reference only answers another one. */
  otherwise?: Problem
  /** Skips the following references if this one is broken. */
  essential?: boolean
}

/** A line of a record: a reference, or a problem of the record by itself. */
export type Line = Reference | { problem: Problem }

/** Stands for the sort key of any folder of the company, because the claim of an id doesn't say which folder has it. */
export const ANY_FOLDER = 'FOLDER#'

/** A record that has to exist. */
const exists = (to: Key, code: ProblemCode, ids: Ids): Reference => ({ to, otherwise: problem(code, ids) })
/** The line of an invalidation that is too old. */
const stuck = (item: Key, since: number, now: number): Line[] =>
  since < now - REMOVED_WITHIN_MS ? [{ problem: problem('invalidation_stuck', { object: addressOf(item) }) }] : []
/** A record that has to exist and to refer back. */
const mutual = (to: Key, code: ProblemCode, ids: Ids): Reference => ({ to, mutual: true, otherwise: problem(code, ids) })

/**
 * The references of records, by kind. A kind that is absent refers to nothing and nothing refers to it: it expires by itself (tokens, resets,
 * attempts, uploads), is part of something (the log of folders), or is checked elsewhere (files, disk usage).
 */
const kinds: Readonly<Record<string, (item: Key, now: number) => Iterable<Line>>> = {
  'COMPANIES COMPANY': ({ sk }) => [exists(companyKey(idIn(sk)), 'listed_company_missing', { company_id: idIn(sk) })],
  'COMPANY COMPANY': ({ pk }) => {
    const companyId = idIn<CompanyId>(pk)
    // The stock catalogue is not in the list of companies.
    return companyId === CATALOGUE ? [] : [exists(companyListing(companyId), 'company_not_listed', { company_id: companyId })]
  },
  'COMPANY USER': ({ pk, sk }) => [mutual(userKey(idIn(sk)), 'listed_user_not_member', { company_id: idIn(pk), user_id: idIn(sk) })],
  'COMPANY KEY': (item) => {
    const { pk, sk, key } = item as Key & { key: string }
    return [mutual(apiKeyKey(key), 'listed_key_missing', { company_id: idIn(pk), key_id: idIn(sk) })]
  },
  'COMPANY CLIQUE': ({ pk, sk }) => [mutual(cliqueKey(idIn(sk)), 'listed_clique_missing', { company_id: idIn(pk), clique_id: idIn(sk) })],
  'COMPANY FOLDER': (item) => {
    const folder = item as FolderRecord
    const { companyId: company_id, folderId, alias } = folder
    const ids = [...new Set([folderId, contentsOf(folder)])]
    const claims = ids.map((folder_id) => exists(folderClaimKey(folder_id), 'folder_without_claim', { company_id, folder_id }))
    if (alias === undefined) return claims
    const claimed = mutual(aliasKey(alias), 'alias_without_claim', { company_id, folder_id: folderId, alias })
    return [...claims, claimed]
  },
  'ALIAS ALIAS': (item, now) => {
    const { alias, companyId: company_id, folderId: folder_id, removing } = item as AliasClaim
    const ids = { company_id, folder_id, alias }
    if (removing === undefined) return [mutual(folderKey(company_id, folder_id), 'alias_without_folder', ids)]
    return removing < now - REMOVED_WITHIN_MS ? [{ problem: problem('alias_not_removed', ids) }] : []
  },
  'INVALIDATIONS LINK': function* (item, now) {
    const { linkId, since } = item as Key & LinkInvalidation
    yield exists(linkKey(linkId), 'invalidation_of_no_link', { object: addressOf(item) })
    yield* stuck(item, since, now)
  },
  'INVALIDATIONS STREAM': (item, now) => stuck(item, (item as Key & StreamInvalidation).since, now),
  'INVALIDATIONS NAME': (item, now) => stuck(item, (item as Key & NamedInvalidation).since, now),
  'COMPANY PRESETS': (item) => {
    const { pk, presets = [] } = item as PresetsRecord
    return presets.map(({ presetId: preset_id }) =>
      mutual(presetClaimKey(preset_id), 'preset_without_claim', { company_id: idIn(pk), preset_id }),
    )
  },
  'PRESET PRESET': (item) => {
    const { companyId: company_id, presetId: preset_id } = item as PresetClaim
    return [mutual(presetsKey(company_id), 'preset_claim_without_preset', { company_id, preset_id })]
  },
  'FOLDER FOLDER': (item) => {
    const { pk, companyId: company_id } = item as Key & Pick<FolderRecord, 'companyId'>
    const folders = { pk: companyPartition(company_id), sk: ANY_FOLDER }
    return [mutual(folders, 'folder_claim_without_folder', { company_id, folder_id: idIn(pk) })]
  },
  // One by one, so that an unreadable part doesn't hide the problems before it.
  'USER USER': function* (item) {
    const { userId: user_id, username, cliques, companies } = item as UserRecord
    yield mutual(usernameKey(username), 'username_unclaimed', { user_id })
    for (const clique_id of cliques) yield exists(membershipKey(clique_id, user_id), 'membership_missing', { user_id, clique_id })
    for (const { companyId: company_id } of companies) {
      yield exists(companyKey(company_id), 'member_of_unknown_company', { company_id, user_id })
      yield exists(userListing(company_id, user_id), 'user_not_listed', { company_id, user_id })
    }
  },
  'USERNAME USERNAME': (item) => {
    const { pk: object, userId: user_id } = item as Key & Pick<UserRecord, 'userId'>
    return [mutual(userKey(user_id), 'username_of_nobody', { user_id, object })]
  },
  'KEY KEY': (item) => {
    const { companyId: company_id, keyId: key_id } = item as KeyRecord
    return [
      exists(companyKey(company_id), 'key_of_unknown_company', { company_id, key_id }),
      mutual(keyListing(company_id, key_id), 'key_not_listed', { company_id, key_id }),
      mutual(idKey(key_id), 'key_without_id', { company_id, key_id }),
    ]
  },
  // The id of a revoked key stays claimed: nothing is wrong if it refers to none.
  'KEYID KEYID': (item) => [{ to: apiKeyKey((item as Key & { key: string }).key) }],
  'CLIQUE CLIQUE': (item) => {
    const { cliqueId: clique_id, companyId: company_id, shares } = item as CliqueRecord
    const ids = { company_id, clique_id }
    return [
      { ...exists(companyKey(company_id), 'clique_of_unknown_company', ids), essential: true },
      exists(cliqueListing(company_id, clique_id), 'clique_not_listed', ids),
      ...Object.keys(shares)
        .map((id) => toFolderId(Number(id)))
        .map((folder_id) => exists(folderKey(company_id, folder_id), 'share_of_unknown_folder', { ...ids, folder_id })),
    ]
  },
  'JOB JOB': (item, now) => {
    const { kind, input, companyId: company_id, askedAt } = item as JobRecord
    if (kind !== removalJob.name || askedAt >= now - REMOVED_WITHIN_MS) return []
    const deleted = input as Deleted
    return 'cliqueId' in deleted ? [{ problem: problem('clique_not_removed', { company_id, clique_id: deleted.cliqueId }) }] : []
  },
  'CLIQUE USER': (item) => {
    const { cliqueId: clique_id, userId: user_id, membershipId: membership_id } = item as MembershipRecord
    return [
      {
        ...exists(cliqueKey(clique_id), 'membership_of_unknown_clique', { user_id, clique_id }),
        or: [removalKey({ cliqueId: clique_id })],
      },
      mutual(userKey(user_id), 'membership_not_of_user', { user_id, clique_id }),
      mutual(claimKey(membership_id), 'membership_without_id', { user_id, clique_id, membership_id }),
    ]
  },
  'ZIPS FOLDER': (item) => {
    const { sk, jobId } = item as LatestZip
    return [exists(zipKey(jobId), 'latest_zip_missing', { folder_id: idIn(sk) })]
  },
  'MEMBERSHIP MEMBERSHIP': (item) => {
    const { pk, cliqueId: clique_id, userId: user_id } = item as Key & Pick<MembershipRecord, 'cliqueId' | 'userId'>
    const membership = membershipKey(clique_id, user_id)
    return [mutual(membership, 'membership_id_of_nothing', { user_id, clique_id, membership_id: idIn(pk) })]
  },
}

export const refersToOthers = (item: Key): boolean => kindOf(item) in kinds

/** @param now UNIX milliseconds @throws TypeError where the record lacks an attribute of its kind */
export const linesOf = (item: Key, now: number): Iterable<Line> => kinds[kindOf(item)]?.(item, now) ?? []
