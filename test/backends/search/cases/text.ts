import type { Case } from '../contract-cases.ts'

/** What is found by text. */
export const textCases: Case[] = [
  // The beginnings of words, in every field.
  { q: 'red', finds: [8, 1, 4, 2, 5, 3, 6, 7] },
  { q: 're', finds: [8, 1, 4, 2, 5, 3, 12, 6, 7] },
  { q: 'dawn', finds: [1, 4, 3] },
  { q: 'boat', finds: [8, 1, 12] },
  { q: 'nowhere', finds: [] },
  // Several terms, in any field and order.
  { q: 'red wine', finds: [2, 3, 7] },
  // Whole words.
  { q: 'red', type: 'strict_and_search', finds: [8, 1, 4, 2, 5, 3, 6] },
  { q: 'red*', type: 'strict_and_search', finds: [8, 1, 4, 2, 5, 3, 6, 7] },
  { q: 'wine bottle', type: 'strict_and_search', finds: [2, 7] },
  { q: '2024', type: 'strict_and_search', finds: [5, 12, 2024] },
  // Phrases.
  { q: '"red wine"', finds: [2] },
  { q: '"red wi"', finds: [2] },
  { q: '"red wi"', type: 'strict_and_search', finds: [] },
  { q: '"sea rotes"', finds: [] },
  { q: 'still-life', finds: [2] },
  // Anything inside of titles, keywords and filenames; the beginnings of words elsewhere.
  { q: 'ed', type: 'wildcards', finds: [1, 4, 2, 5, 3] },
  { q: 'e', type: 'wildcards', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 2024] },
  { q: 'dgrave', type: 'wildcards', finds: [] },
  { q: 'ottle', type: 'wildcards', finds: [] },
  { q: '"d wine gl"', type: 'wildcards', finds: [2] },
  { q: '"t red s"', type: 'wildcards', finds: [] },
  { q: '*ood*', finds: [5] },
  { q: 'h*r', finds: [8, 1, 3, 9, 2024] },
  { q: '*', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  // Excluded.
  { q: '-red', finds: [9, 10, 11, 12, 13, 2024] },
  { q: 'red -wine', finds: [8, 1, 4, 5, 6] },
  { q: 'wine -red', finds: [] },
  { q: 'red -"red wine"', finds: [8, 1, 4, 5, 3, 6, 7] },
  { q: 'red -*ood', finds: [8, 1, 4, 2, 3, 6, 7] },
  { q: '-nowhere', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { q: '-red', type: 'strict_and_search', finds: [9, 10, 11, 12, 13, 2024, 7] },
  // Folding.
  { q: 'smorrebrod', finds: [9] },
  { q: 'Cafe\u0301', finds: [9] },
  { q: 'mueller', finds: [] },
  { q: 'strasse', finds: [11] },
  { q: 'traße', type: 'wildcards', finds: [11] },
  { q: '東京', finds: [10] },
  { q: '京タワ', finds: [10] },
  { q: 'タワーの夜', type: 'wildcards', finds: [10] },
  { q: '夜京', finds: [] },
  { q: '🎉', finds: [10] },
  { q: '-🎉 東', finds: [] },
  // Filenames.
  { q: 'IMG_1001.jpg', finds: [1] },
  { q: '001', finds: [1] },
  { q: '001', type: 'wildcards', finds: [1] },
  { q: 'wood', finds: [5] },
  { q: 'contract-v2.pdf', finds: [12] },
  // Ids.
  { q: '2024', finds: [5, 12, 2024] },
  { q: '-2024', finds: [8, 1, 4, 2, 3, 9, 10, 11, 13, 6, 7] },
  { q: '12', finds: [12] },
  { q: '7 wine', finds: [7] },
  // Nothing to look for.
  { q: '', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
  { q: '-…', finds: [8, 1, 4, 2, 5, 3, 9, 10, 11, 12, 13, 2024, 6, 7] },
]
