import { addressOf, router } from '../router.svelte.ts'

/** The address of a folder. From folder to folder files of those below stay shown, where they are. */
export const folderAddress = (id: number): string =>
  addressOf(`folder/${id}`, router.list.route.page === 'folder' ? { recursive: router.list.parameters.get('recursive') ?? undefined } : {})
