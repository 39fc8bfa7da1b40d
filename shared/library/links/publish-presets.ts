import type { PublishedObjects } from '../../backends/objects/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Reading, Writing } from '../library.ts'
import { type PresetsRecord, presetsChange, presetsKey, presetsRecord } from '../presets/preset.ts'
import { type CdnFolder, cdnFolders, findAlias } from '../tree/system-folders.ts'
import { loadTree } from '../tree/tree-store.ts'
import { forgetNames } from './invalidation.ts'
import { type AliasPresets, writeAliasPresets } from './presets.ts'
import { publicKeys } from './public-keys.ts'

/** The resources of the publication of presets. */
export interface PublishingPresets extends Writing {
  publicFiles: Pick<PublishedObjects, 'put' | 'delete'>
}

/** Invalidations that one transaction asks for. */
const AT_ONCE = 50

/**
 * Reconciles the public bucket with a company's presets: an object for each alias, which says what its links may show. Then has edges forget what
 * is old. The job's lease lets one run at a time write. A run that lost its lease may write after its successor; it then sees the changed record,
 * and publishes that. Idempotent; safe to crash.
 */
export async function publishPresets(library: PublishingPresets, companyId: CompanyId): Promise<void> {
  const written = { hasWritten: false, stale: new Set<string>() }
  for (;;) {
    const record = await presetsRecord(library, companyId)
    if (!record || (record.published === record.revision && !written.hasWritten)) return
    for (const name of record.stale ?? []) written.stale.add(name)
    written.hasWritten = true
    await store(library, companyId, record)
    // From now on no renderer makes anything old.
    await forget(library, [...written.stale])
    const changes = { set: { published: record.revision }, remove: ['stale', 'removed'] }
    if (await held(library.table.update(presetsKey(companyId), changes, { revision: { equals: record.revision } }))) return
  }
}

/**
 * What renderers are to know of the aliases of a company, by alias; undefined where nothing has to be said.
 * @param record what is known of the company's presets
 */
export async function publishedForms(
  library: Reading,
  companyId: CompanyId,
  record: PresetsRecord | undefined,
): Promise<Map<string, AliasPresets | undefined>> {
  const presets = Object.fromEntries((record?.presets ?? []).map(({ name, query }) => [name, query]))
  const says = Object.keys(presets).length > 0
  const formOf = ({ presetsOnly = false }: CdnFolder) => (says || presetsOnly ? { companyId, presetsOnly, presets } : undefined)
  return new Map(cdnFolders(await loadTree(library, companyId)).map((folder) => [folder.alias, formOf(folder)]))
}

async function store(library: PublishingPresets, companyId: CompanyId, record: PresetsRecord): Promise<void> {
  const { publicFiles } = library
  const { removed = [] } = record
  const forms = await publishedForms(library, companyId, record)
  for (const [alias, form] of forms) {
    const key = publicKeys.presets(alias)
    if (form) await publicFiles.put(key, writeAliasPresets(form), { contentType: 'application/json' })
    else await publicFiles.delete([key])
  }
  await removeAliasObjects(
    library,
    companyId,
    removed.filter((alias) => !forms.has(alias)),
  )
}

/**
 * Removes what is published of aliases that a company no longer has. Another company may have taken one since: what that one published is asked for
 * again, because it may have come before the removal. Idempotent.
 */
export async function removeAliasObjects(library: PublishingPresets, companyId: CompanyId, aliases: readonly string[]): Promise<void> {
  const ownerOf = async (alias: string) => {
    const owner = (await findAlias(library, alias))?.companyId
    return owner === companyId ? undefined : owner
  }
  for (const alias of aliases) {
    if ((await ownerOf(alias)) === undefined) await library.publicFiles.delete([publicKeys.presets(alias)])
    const owner = await ownerOf(alias)
    if (owner !== undefined) await askAgain(library, owner)
  }
}

async function askAgain(library: Writing, companyId: CompanyId): Promise<void> {
  await retryOnConflict(async () => {
    await library.table.transact(presetsChange(library, companyId, await presetsRecord(library, companyId), {}))
  })
}

async function forget(library: PublishingPresets, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += AT_ONCE) {
    await library.table.transact(forgetNames(library, names.slice(from, from + AT_ONCE)))
  }
}
