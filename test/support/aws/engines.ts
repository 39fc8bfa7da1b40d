import type { Engine } from './engine.ts'
import { ministack } from './ministack.ts'
import { openSearch } from './opensearch.ts'
import { storage } from './storage.ts'

/** Every engine over which AWS adapters are tested, by the name that vitest.config.ts has for it. */
export const engines = { ministack, storage, openSearch } satisfies Record<string, Engine>
