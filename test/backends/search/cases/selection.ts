import type { Case } from '../contract-cases.ts'
import { at } from './gallery.ts'

/** What folders, tags and filters leave. */
export const selectionCases: Case[] = [
  { scope: { only: [1] }, finds: [1, 2, 9] },
  { scope: { only: [2, 2, 2] }, finds: [2, 3] },
  { scope: { only: [99] }, finds: [] },
  { scope: { only: [] }, finds: [] },
  { scope: { only: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { scope: { except: [1] }, finds: [8, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { scope: { except: [1, 5, 6] }, finds: [4, 2, 5, 3, 11, 12, 13, 2024, 6] },
  { scope: { except: [99] }, finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { scope: { except: [1, 2, 3, 4, 5, 6, 7, 8] }, finds: [] },
  { q: 'red', scope: { only: [2] }, finds: [2, 3] },
  { q: 'red', scope: { except: [2, 3] }, finds: [8, 1, 2, 5, 6, 7] },
  { q: '-red', scope: { only: [1, 7] }, finds: [9, 11, 12] },
  // Tags of folders.
  { q: 'moon', tagged: [1], finds: [1, 2, 9, 2024] },
  { q: 'moon', tagged: [5, 6], scope: { except: [5] }, finds: [9, 10, 2024] },
  { q: '-moon', tagged: [1, 5], finds: [4, 5, 3, 10, 11, 12, 13, 6] },
  { q: 'oo', type: 'wildcards', tagged: [7], finds: [5, 11, 12, 2024] },
  { q: '2024', tagged: [6], finds: [5, 9, 10, 12, 2024] },
  // Kinds and ids.
  { kinds: ['vector', 'generic'], finds: [10, 11, 12, 13] },
  { q: 'red', kinds: ['video'], finds: [3] },
  { mediaIds: [3, 1, 99], finds: [1, 3] },
  { mediaIds: [], finds: [] },
  { q: 'red', mediaIds: [2, 9], finds: [2] },
  // Pixels.
  { orientation: 'horizontal', finds: [8, 1, 4, 5, 3, 11, 7] },
  { orientation: 'vertical', finds: [2, 9] },
  { minWidth: 3000, finds: [1, 4, 5, 7] },
  { minWidth: 2000, minHeight: 3000, finds: [4, 2, 5, 7] },
  { minSides: { long: 3000, short: 2000 }, finds: [1, 4, 2, 5, 7] },
  { minSides: { long: 500, short: 500 }, kinds: ['vector'], finds: [10] },
  // Days.
  { date: { field: 'created', min: at('2024-02-24') }, finds: [13, 2024, 6, 7] },
  { date: { field: 'created', min: at('2024-01-15'), max: at('2024-01-25') }, finds: [4, 2, 5] },
  { date: { field: 'created', min: at('2024-01-25'), max: at('2024-01-15') }, finds: [] },
  { date: { field: 'cameraCreated', min: at('2022-08-08') }, finds: [8, 4, 6] },
  { date: { field: 'cameraCreated', max: at('1970-01-01') }, finds: [2024] },
  { date: { field: 'cameraCreated' }, finds: [8, 1, 4, 2, 5, 9, 2024, 6] },
  { date: { field: 'modified', min: at('2024-03-01') }, finds: [1, 4, 6, 7] },
  { q: 'red', date: { field: 'created', max: at('2024-01-25') }, finds: [8, 1, 4, 2, 5] },
  // Expiration.
  { minExpires: '2024-12-31', finds: [4, 2] },
  { maxExpires: '2024-12-31', finds: [8, 2, 12] },
  { minExpires: '2024-03-01', maxExpires: '2025-01-01', finds: [2] },
  { notExpiredOn: '2024-02-29', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { notExpiredOn: '2024-03-01', finds: [1, 4, 2, 5, 3, 9, 10, 11, 13, 2024, 6, 7] },
  { notExpiredOn: '2026-01-01', maxExpires: '2026-01-01', finds: [] },
]
