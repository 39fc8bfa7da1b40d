import type { Case } from '../contract-cases.ts'

const copenhagen = { latitude: 55.68, longitude: 12.57 }
const fiji = { latitude: -17.7, longitude: 179.9 }

/** In which order, and which page of it. */
export const orderCases: Case[] = [
  { direction: 'desc', finds: [7, 6, 2024, 13, 12, 11, 10, 9, 3, 5, 2, 4, 1, 8] },
  { direction: 'desc', limit: 3, finds: [7, 6, 2024], total: 14 },
  { direction: 'desc', limit: 3, offset: 3, finds: [13, 12, 11], total: 14 },
  { limit: 2, offset: 13, finds: [7], total: 14 },
  { limit: 0, finds: [], total: 14 },
  { limit: 5, offset: 9_995, finds: [], total: 14 },
  { q: 'red', limit: 2, offset: 1, finds: [1, 4], total: 8 },
  // Files without a camera time are last either way.
  { order: 'cameraCreated', finds: [2024, 9, 1, 5, 2, 4, 6, 8, 3, 10, 11, 12, 13, 7] },
  { order: 'cameraCreated', direction: 'desc', finds: [8, 6, 4, 2, 5, 1, 9, 2024, 7, 13, 12, 11, 10, 3] },
  { q: 'red', order: 'cameraCreated', finds: [1, 5, 2, 4, 6, 8, 3, 7] },
  { q: 'red', order: 'cameraCreated', direction: 'desc', finds: [8, 6, 4, 2, 5, 1, 7, 3] },
  // The nearest first, or the farthest; files without a place last either way, newest or oldest first.
  { order: 'distance', near: copenhagen, direction: 'desc', finds: [8, 7, 10, 5, 2024, 4, 2, 1, 3, 9, 11, 12, 13, 6] },
  { order: 'distance', near: fiji, finds: [8, 7, 10, 5, 2024, 1, 4, 2, 6, 13, 12, 11, 9, 3] },
  { q: 'red', order: 'distance', near: fiji, finds: [8, 7, 5, 1, 4, 2, 6, 3] },
  { q: 'red', order: 'distance', near: copenhagen, direction: 'desc', limit: 4, finds: [8, 7, 5, 4], total: 8 },
  { kinds: ['vector'], order: 'distance', near: copenhagen, finds: [10, 11] },
  // Title and keywords come first. Without a term to look for the newest does.
  { order: 'relevance', direction: 'desc', finds: [7, 6, 2024, 13, 12, 11, 10, 9, 3, 5, 2, 4, 1, 8] },
  { order: 'relevance', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { q: '-red', order: 'relevance', direction: 'desc', finds: [2024, 13, 12, 11, 10, 9] },
  { q: 'harvest', order: 'relevance', direction: 'desc', finds: [3] },
]
