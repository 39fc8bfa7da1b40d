import { userInfo } from 'node:os'
import { type Command, Option } from 'commander'
import { createKey, findKey, type KeyGrant, listKeys, revokeKey } from '../../../shared/library/accounts/api-keys.ts'
import { timestamp } from '../../../shared/library/time.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { type KeyKind, keyKinds } from '../../homes/rotate-key.ts'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { needCompany } from '../lookups.ts'
import { textTable } from '../text-table.ts'
import { companyId, grants } from '../values.ts'

/** `key create`, `key list`, `key revoke`, `key rotate` */
export function keyCommands(program: Command, console: Console): void {
  const key = noun(program, 'key', 'API keys, one for each application; the keys of the deployment itself')

  verb(key, 'create', 'make a key with its secret', [
    'key create --company 42',
    'key create --company 42 --grants downloads,password_reset',
  ])
    .requiredOption('--company <id>', 'the company', companyId)
    .option('--grants <list>', 'what the application may do by its key alone: downloads, password_reset', grants, [] as KeyGrant[])
    .action(
      act<{ company: CompanyId; grants: KeyGrant[] }>(console, async (library, options) => {
        const { companyId } = await needCompany(library, options.company)
        const { record, secret } = await createKey(library, { companyId, grants: options.grants })
        const json = { id: record.keyId, key: record.key, secret, company_id: companyId, grants: record.grants }
        return { json, text: `Made key ${record.key}\nsecret   ${secret}\ngrants   ${listed(record.grants)}` }
      }),
    )

  verb(key, 'list', 'list the keys of a company, without their secrets', ['key list --company 42'])
    .requiredOption('--company <id>', 'the company', companyId)
    .action(
      act<{ company: CompanyId }>(console, async (library, { company }) => {
        await needCompany(library, company)
        const keys = (await listKeys(library, company)).map((record) => ({
          id: record.keyId,
          key: record.key,
          company_id: record.companyId,
          grants: record.grants,
          created: timestamp(record.created),
        }))
        const rows = keys.map((one) => [one.id, one.key, listed(one.grants), one.created])
        return { json: keys, text: textTable(['ID', 'KEY', 'GRANTS', 'CREATED (UTC)'], rows) }
      }),
    )

  verb(key, 'revoke', 'remove a key; tokens issued through it are invalid at once', ['key revoke --key 0123456789abcdef0123456789abcdef'])
    .requiredOption('--key <key>', 'the key itself, not its id')
    .action(
      act<{ key: string }>(console, async (library, options) => {
        if (!(await findKey(library, options.key))) {
          throw new Error(`There is no key ${options.key}. List the keys of a company with: key list --company ID`)
        }
        await revokeKey(library, options.key)
        return { json: { key: options.key, revoked: true }, text: `Revoked key ${options.key}.` }
      }),
    )

  verb(key, 'rotate', 'change a key of the deployment while it is in use; the last two of its values are valid', [
    'key rotate --kind url',
    'key rotate --kind secrets --stack media-library',
  ])
    .addOption(
      new Option('--kind <kind>', 'url: signs URLs; secrets: encrypts stored secrets; origin: what CloudFront proves itself by')
        .choices(keyKinds)
        .makeOptionMandatory(),
    )
    .action(
      act<{ kind: KeyKind }>(console, async (library, { kind }) => {
        await library.rotateKey(kind, { clock: library.clock, tell: (line) => console.error(line) })
        // Keys of the deployment are in no company's feed.
        jsonLog((line) => console.error(line)).info('key rotated', { kind, by: library.by, user: systemUser() })
        return { json: { kind, rotated: true }, text: ROTATED[kind] }
      }),
    )
}

/** The system's user who runs the command; the number where there is no name, as in containers. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

const ROTATED: Record<KeyKind, string> = {
  url: 'Rotated the key that signs URLs. URLs that the one before has signed work until they expire, or until the next rotation.',
  secrets:
    'Rotated the key that encrypts stored secrets, and encrypted them all anew. Forms to upload files that were handed out stay valid.',
  origin: 'Rotated the key by which CloudFront proves itself to the functions. They take the one before as well, until the next rotation.',
}

function listed(names: readonly KeyGrant[]): string {
  return names.join(', ') || 'none'
}
