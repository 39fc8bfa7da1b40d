import { type Replacement, replacementCreation } from '../../../shared/library/media/files.ts'
import { askForImport } from '../../../shared/library/media/importing.ts'
import { formerFileKey, mediaKey, pointerKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { by } from '../../support/library.ts'
import { DAY, findsEach } from './damage.ts'
import type { HealthyLibrary } from './healthy-library.ts'

const idsOf = ({ companyId, replaced }: HealthyLibrary) => ({ company_id: companyId, media_id: replaced.mediaId })
const addressOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`
/** A number whose import failed: of it nothing is stored. */
const failed = ({ companyId, replaced }: HealthyLibrary, fileNumber: number) => {
  const { mediaId, uploadedBy: fileBy } = replaced
  return { mediaId, companyId, fileNumber, fileBy, fileCreated: 1, filename: 'a', uploadKey: 'a', bytes: 1, state: 'failed' as const }
}
const replacementOf = ({ companyId, replaced, clock }: HealthyLibrary): Replacement => {
  const { mediaId, uploadedBy } = replaced
  return { mediaId, companyId, id: 'replacing', filename: 'a', uploadKey: 'a/a', bytes: 1, created: clock.now(), uploadedBy, by }
}

findsEach({
  'nothing in a file with a number that failed, and one that is being imported': {
    async damage(library) {
      const { table, media, replaced } = library
      await table.update(mediaKey(replaced.mediaId), { set: { lastNumber: 5 } })
      await table.put({ ...formerFileKey(replaced.mediaId, 5), ...failed(library, 5) })
      const replacement = replacementOf(library)
      await table.transact({ replacement: replacementCreation(replacement), import: askForImport(library, replacement) })
      const key = `${objectKeys.prefix(replaced)}files/${replacement.id}/original`
      await media.put(key, Buffer.from('x'), { contentType: 'text/plain' })
    },
    found: () => [],
  },
  'an object of a former number that is not stored, though the first file has one of that name': {
    damage: ({ media, replaced }) => media.delete([objectKeys.tags(replaced)]),
    found: (library) => [{ problem: 'object_missing', ...idsOf(library), object: objectKeys.tags(library.replaced) }],
  },
  'objects of bytes that no number has': {
    damage: ({ media, replaced }) =>
      media.put(`${objectKeys.prefix(replaced)}files/none/original`, Buffer.from('x'), { contentType: 'text/plain' }),
    found: (library) => [
      { problem: 'object_unexpected', ...idsOf(library), object: `${objectKeys.prefix(library.replaced)}files/none/original` },
    ],
  },
  'a former original of another size': {
    damage: ({ media, replaced }) => media.put(objectKeys.original(replaced), Buffer.from('other'), { contentType: 'text/plain' }),
    found: (library) => [{ problem: 'original_size_wrong', ...idsOf(library), object: objectKeys.original(library.replaced) }],
  },
  'a number that was never given': {
    damage: (library) => library.table.put({ ...formerFileKey(library.replaced.mediaId, 9), ...failed(library, 9) }),
    found: (library) => [
      { problem: 'file_number_wrong', ...idsOf(library), object: addressOf(formerFileKey(library.replaced.mediaId, 9)) },
    ],
  },
  'bytes of former numbers that are counted wrongly': {
    async damage({ table, replaced }) {
      await table.update(mediaKey(replaced.mediaId), { add: { versionBytes: 7 } })
      await table.update(usageKey(replaced), { add: { versionBytes: 7, bytes: 7 } })
    },
    found: (library) => [{ problem: 'version_bytes_wrong', ...idsOf(library) }],
  },
  'disk usage that forgets former numbers': {
    damage: ({ table, replaced }) => table.update(usageKey(replaced), { add: { versionBytes: -1, bytes: -1 } }),
    found: (library) => {
      const { companyId: company_id, userId: user_id, replaced } = library
      return [{ problem: 'usage_wrong', company_id, user_id, object: addressOf(usageKey(replaced)) }]
    },
  },
  'a replacement that has no job': {
    damage: (library) => library.table.transact({ replacement: replacementCreation(replacementOf(library)) }),
    found: (library) => [{ problem: 'replacement_not_swept', ...idsOf(library) }],
  },
  'a replacement that does not end': {
    async damage(library) {
      const replacement = replacementOf(library)
      await library.table.transact({ replacement: replacementCreation(replacement), import: askForImport(library, replacement) })
      library.clock.advance(DAY + 1)
    },
    found: (library) => [{ problem: 'replacement_stuck', ...idsOf(library) }],
  },
  'numbers of a file that does not exist': {
    async damage({ table, media, replaced }) {
      await table.delete(mediaKey(replaced.mediaId))
      for (const contents of replaced.folders) await table.delete(pointerKey(replaced.mediaId, contents))
      await table.delete(usageKey(replaced))
      const { objects } = await media.list(objectKeys.prefix(replaced))
      await media.delete(objects.map(({ key }) => key))
    },
    found: (library) =>
      [1, 2, 3].map((number) => {
        return { problem: 'number_without_file', ...idsOf(library), object: addressOf(formerFileKey(library.replaced.mediaId, number)) }
      }),
  },
})
