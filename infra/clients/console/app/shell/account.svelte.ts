import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { api, dataOf } from '../api/client.ts'

/** Pages that admins alone see, in the order in which they are offered. */
export const forAdmins = ['people', 'groups', 'keys', 'presets', 'usage', 'activity', 'brand'] as const

/** What the user may do besides looking after files. */
class Account {
  /** Whether they are admin of a company: only such users may list cliques. Undefined until that is known. */
  isAdmin = $state<boolean>()

  async load(): Promise<void> {
    try {
      await dataOf(api.GET('/clique'))
      this.isAdmin = true
    } catch (error) {
      if (!(error instanceof MediaLibraryError) || error.status !== 403) throw error
      this.isAdmin = false
    }
  }
}

export const account = new Account()
