import { createInfiniteQuery as infiniteQuery, QueryClient, createQuery as query } from '@tanstack/svelte-query'
import { MediaLibraryError } from '../../../client/media-library-error.ts'

/** What pages and dialogs know of the service. Those that load it come after the first screen, which goes without. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && error instanceof MediaLibraryError && (error.status === 0 || error.status >= 500),
    },
  },
})

export const createQuery = ((options: Parameters<typeof query>[0]) => query(options, () => queries)) as typeof query

export const createInfiniteQuery = ((options: Parameters<typeof infiniteQuery>[0]) =>
  infiniteQuery(options, () => queries)) as typeof infiniteQuery
