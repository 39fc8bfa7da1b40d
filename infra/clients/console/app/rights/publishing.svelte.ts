import { type Alias, listAliases } from '../links/calls.ts'
import { account } from '../shell/account.svelte.ts'
import { folderRights } from './folder-rights.svelte.ts'

/** Whether the user may publish anything: files are published in folders that they may see and change. */
class Publishing {
  #aliases = $state.raw<readonly Alias[]>()
  #reading: Promise<void> | undefined

  /** Admins are told where there is no such folder yet: they can have one made. */
  get isPossible(): boolean {
    return account.isAdmin === true || this.#aliases?.some(({ folder_id: id }) => isUsable(id)) === true
  }

  /** Asks for the folders once. What can't be read is asked for the next time. */
  load(): Promise<void> {
    this.#reading ??= listAliases().then(
      (aliases) => {
        this.#aliases = aliases
      },
      () => {
        this.#reading = undefined
      },
    )
    return this.#reading
  }
}

const isUsable = (id: number): boolean => folderRights.offers('READ', id) && folderRights.offers('WRITE', id)

export const publishing = new Publishing()
