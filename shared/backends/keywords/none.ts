import type { KeywordSuggester } from './port.ts'

/** For deployments without suggestions. */
export const noSuggester: KeywordSuggester = { suggest: async () => undefined }
