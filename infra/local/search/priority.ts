/**
 * Searches go before jobs, and after all that the server does itself: a heavy one delays no other request. A priority not far below the
 * server's doesn't do: Linux then lets a search end its slice of time first (30 ms for the slowest in a hundred cheap requests instead of 2).
 */
export const SEARCH_PRIORITY = 15
