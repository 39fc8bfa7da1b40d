/** Searches go before jobs, and after all that the server does itself: a heavy one delays no other request. */
export const SEARCH_PRIORITY = 5
