import type { Item, Key } from '../../backends/table/port.ts'
import { lookAtClique, lookAtCliqueRemoval, lookAtListedClique, lookAtMembership, lookAtMembershipClaim } from './cliques.ts'
import { lookAtCompany, lookAtKey, lookAtListedKey } from './companies.ts'
import { lookAtFolderClaim, lookAtFolders } from './folders.ts'
import type { Library } from './library.ts'
import { lookAtListedUser, lookAtUser, lookAtUsername } from './people.ts'
import type { Problem } from './problem.ts'
import { type Look, readable } from './suspicions.ts'

/**
 * How to look at items, but those of files, by the first words of their keys. What has no line here refers to nothing and is referred to by
 * nothing: it expires by itself (tokens, resets, attempts, uploads), is a part of something (the log of folders), or outlives it on purpose
 * (ids of revoked keys).
 */
const looks: Readonly<Record<string, (library: Library, ids: { pk: number; sk: number; key: Key }) => Promise<Problem[]>>> = {
  'COMPANIES COMPANY': (library, { sk }) => lookAtCompany(library, sk),
  'COMPANY COMPANY': (library, { pk }) => lookAtCompany(library, pk),
  'COMPANY USER': (library, { pk, sk }) => lookAtListedUser(library, pk, sk),
  'COMPANY KEY': (library, { pk, sk }) => lookAtListedKey(library, pk, sk),
  'COMPANY CLIQUE': (library, { pk, sk }) => lookAtListedClique(library, pk, sk),
  'FOLDER FOLDER': (library, { pk }) => lookAtFolderClaim(library, pk),
  'USER USER': (library, { pk }) => lookAtUser(library, pk),
  'USERNAME USERNAME': (library, { key }) => lookAtUsername(library, key),
  'KEY KEY': (library, { key }) => lookAtKey(library, key.pk.slice('KEY#'.length)),
  'CLIQUE CLIQUE': (library, { pk }) => lookAtClique(library, pk),
  'CLIQUE REMOVAL': (library, { pk }) => lookAtCliqueRemoval(library, pk),
  'CLIQUE USER': (library, { pk, sk }) => lookAtMembership(library, { cliqueId: pk, userId: sk }),
  'MEMBERSHIP MEMBERSHIP': (library, { pk }) => lookAtMembershipClaim(library, pk),
}

/** Makes looks of items as a walk meets them. */
export class ItemLooks {
  readonly #library: Library
  /** Companies whose folders have been met. */
  readonly #companies = new Set<number>()

  constructor(library: Library) {
    this.#library = library
  }

  of({ pk, sk }: Item): Look[] {
    const kind = `${firstWord(pk)} ${firstWord(sk)}`
    if (kind === 'COMPANY FOLDER' || kind === 'COMPANY TREE') return this.#folders(idIn(pk))
    const look = looks[kind]
    if (!look) return []
    const ids = { pk: idIn(pk), sk: idIn(sk), key: { pk, sk } }
    return [readable(`${pk} ${sk}`, () => look(this.#library, ids))]
  }

  /** All folders of a company are looked at together, once. */
  #folders(companyId: number): Look[] {
    if (this.#companies.has(companyId)) return []
    this.#companies.add(companyId)
    return [readable(`COMPANY#${companyId}`, () => lookAtFolders(this.#library, companyId))]
  }
}

function firstWord(key: string): string {
  const end = key.indexOf('#')
  return end < 0 ? key : key.slice(0, end)
}

function idIn(key: string): number {
  return Number(key.slice(key.indexOf('#') + 1))
}
