import fc from 'fast-check'
import type { Table } from '../../../../shared/backends/table/port.ts'
import type { UserCaller } from '../../../../shared/library/access/caller.ts'
import { findUser } from '../../../../shared/library/accounts/users.ts'
import type { Actor } from '../../../../shared/library/actor.ts'
import type { Right } from '../../../../shared/library/tree/folder.ts'
import {
  type CompanyId,
  type FolderId,
  type LinkId,
  type MediaId,
  toCliqueId,
  toFolderId,
  toMediaId,
  type UserId,
} from '../../../../shared/vocabulary/ids.ts'
import { callerOf, requestOf } from '../../../support/library.ts'
import type { TestClock } from '../../../support/test-clock.ts'
import type { LibraryModel } from './model.ts'

/** The library, and the model that it must agree with. */
export interface Pair {
  table: Table
  clock: TestClock
  by: Actor
  model: LibraryModel
  users: readonly UserId[]
  companies: readonly CompanyId[]
  /** Every link that there ever was. */
  links: Set<LinkId>
}

/** One thing that happens. */
export interface Step {
  name: string
  /** Does it in the library. @returns the id, where something was made */
  carryOut(pair: Pair): Promise<unknown>
  /** Does it in the model. @param made what the library made; undefined when it refused */
  rule(pair: Pair, made: number | undefined): void
}

/** One of the folders, files or cliques that there are then. Mostly of those with which something can be done. */
export interface Choice {
  at: number
  among: 'usable' | 'trashed' | 'all' | 'gone'
}

const weighted = <T>(...weights: [number, T][]) =>
  fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
/** What happens, and how often. */
export const weighing = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary })

/** By number, as in `PEOPLE`; the first is an admin. */
export const person = weighted([9, 0], [2, 1], [2, 2], [2, 3], [1, 4], [1, 5])
/** Admins stay what they are more often than not: else little would happen. */
export const other = weighted([1, 0], [5, 1], [5, 2], [2, 3], [5, 4], [2, 5])
/** People with rights here and there: what admins may do with files is soon told. */
export const worker = weighted([3, 0], [4, 1], [4, 2], [1, 3], [1, 4])
export const company = weighted([10, 0], [2, 1], [1, 2])
export const choice: fc.Arbitrary<Choice> = fc.record({
  at: fc.nat(999),
  among: weighted<Choice['among']>([12, 'usable'], [2, 'trashed'], [2, 'all'], [1, 'gone']),
})
export const place = fc.oneof({ weight: 3, arbitrary: choice }, { weight: 1, arbitrary: fc.constant(null) })
export const grantedRights = fc.uniqueArray(fc.constantFrom<Right>('READ', 'WRITE', 'ADMIN', 'UPLOAD'), { maxLength: 3 })
export const sharedRights = fc.constantFrom<Right[]>(['READ'], ['WRITE'], ['READ', 'UPLOAD'], ['WRITE', 'UPLOAD'])

/** An id that nothing has. */
const NONE = 2 ** 31 - 1

function chosen(among: readonly number[], { at }: Choice): number | undefined {
  return among[at % among.length]
}

/** The folder that is chosen: of the wanted kind where there is one, else any. */
export function folderIn({ model }: Pair, choice: Choice): FolderId {
  const all = [...model.folders.keys()]
  const plain = all.filter((id) => [undefined, 'cdn'].includes(model.folders.get(id)!.system))
  const sets = {
    usable: plain.filter((id) => !model.isTrashed(id)),
    trashed: plain.filter((id) => model.isTrashed(id)),
    all,
    gone: [...model.known.folders],
  }
  return toFolderId(chosen(sets[choice.among], choice) ?? chosen(all, choice)!)
}

const livingOrGone = (living: ReadonlyMap<number, unknown>, known: ReadonlySet<number>, choice: Choice) =>
  chosen(choice.among === 'gone' ? [...known] : [...living.keys()], choice) ?? NONE

const fileIn = ({ model }: Pair, at: Choice) => toMediaId(livingOrGone(model.files, model.known.files, at))
export const cliqueIn = ({ model }: Pair, at: Choice) => toCliqueId(livingOrGone(model.cliques, model.known.cliques, at))
export const placeIn = (pair: Pair, at: Choice | null) => (at === null ? null : folderIn(pair, at))

/** Mostly a file that the person can see. */
export function fileFor(pair: Pair, by: number, at: Choice): MediaId {
  const seen = [...pair.model.files.keys()].filter((id) => pair.model.fileRights(pair.users[by]!, id).size > 0)
  const usable = at.among === 'usable' ? chosen(seen, at) : undefined
  return usable === undefined ? fileIn(pair, at) : toMediaId(usable)
}

/** Mostly a folder in which the person may write. */
export const writableFor = (pair: Pair, by: number, at: Choice) =>
  folderOr(at.among === 'usable' ? chosen(writable(pair, by, [...pair.model.folders.keys()]), at) : undefined, pair, at)

const folderOr = (chosenId: number | undefined, pair: Pair, at: Choice) =>
  chosenId === undefined ? folderIn(pair, at) : toFolderId(chosenId)

/** Mostly a folder that contains the file, and in which the person may write. */
export function containerFor(pair: Pair, by: number, fileId: number, at: Choice): FolderId {
  const containers = pair.model.foldersOf(fileId)
  const found = {
    usable: chosen(writable(pair, by, containers), at),
    trashed: chosen(containers, at),
    all: chosen(containers, at),
    gone: undefined,
  }
  return folderOr(found[at.among], pair, at)
}

/** Mostly a CDN folder. */
export const cdnFolderIn = (pair: Pair, at: Choice) =>
  folderOr(
    chosen(
      [...pair.model.folders].flatMap(([id, { system }]) => (system === 'cdn' ? id : [])),
      at,
    ),
    pair,
    at,
  )

/** Mostly a file with a link in the folder. */
export function linkedFor(pair: Pair, folderId: number, at: Choice): MediaId {
  const { model } = pair
  const linked = [...model.files.keys()].filter((id) => model.linkedIn(id).includes(folderId))
  const usable = at.among === 'usable' ? chosen(linked, at) : undefined
  return usable === undefined ? fileIn(pair, at) : toMediaId(usable)
}

const writable = ({ model, users }: Pair, by: number, folders: readonly number[]) =>
  folders.filter((id) => model.rights(users[by]!, id).has('WRITE'))

/** Mostly a folder that is shared with the clique. */
export const sharedIn = (pair: Pair, clique: Choice, at: Choice) =>
  folderOr(
    at.among === 'gone' ? undefined : chosen([...(pair.model.cliques.get(cliqueIn(pair, clique))?.shares.keys() ?? [])], at),
    pair,
    at,
  )

/** The person as they are now: what they may do can change with every step. */
export async function callerIn({ table, users }: Pair, by: number): Promise<UserCaller> {
  return callerOf((await findUser({ table }, users[by]!))!)
}
/** The library as the person works with it now. */
export const actingIn = async (pair: Pair, by: number) => requestOf(pair, await callerIn(pair, by))
