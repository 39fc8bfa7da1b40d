import type { KeywordSuggester } from './port.ts'

/** Stands where nobody suggests keywords. */
export const noSuggester: KeywordSuggester = { suggest: async () => undefined }
