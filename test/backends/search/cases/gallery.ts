import type { DocumentFields } from '../memory-feed.ts'

/** `yyyy-mm-dd` as UNIX milliseconds. */
export const at = (day: string) => Date.parse(day)

/**
 * The library that the cases are asked of. Ids are not in the order of import, some were imported at the same time, and most words are in several
 * fields: an engine that takes one for another is found out.
 */
export const gallery: DocumentFields[] = [
  {
    ...{ mediaId: 1, folders: [1], created: at('2024-01-10'), cameraCreated: at('2019-06-01'), modified: at('2024-03-01') },
    ...{ title: 'Harbour at dawn', keywords: ['boat', 'red sky'], filename: 'IMG_1001.jpg', width: 3000, height: 2000 },
    ...{ latitude: 55.68, longitude: 12.57 },
  },
  {
    ...{ mediaId: 2, folders: [1, 2], created: at('2024-01-20'), cameraCreated: at('2021-02-03'), modified: at('2024-01-20') },
    ...{
      title: 'Red wine glass',
      keywords: ['still life'],
      description: 'a bottle beside it',
      width: 2000,
      height: 3000,
      expires: '2024-12-31',
    },
    ...{ latitude: 43.3, longitude: 5.37 },
  },
  {
    ...{ mediaId: 3, kind: 'video', folders: [2], created: at('2024-02-01'), cameraCreated: null, modified: at('2024-02-01') },
    ...{ title: 'Wine harvest', keywords: ['red', 'grapes'], filename: 'clip-03.mp4', width: 1920, height: 1080, byline: 'Bo Dawn' },
  },
  {
    ...{ mediaId: 4, folders: [3], created: at('2024-01-15'), cameraCreated: at('2022-08-08'), modified: at('2024-05-05') },
    ...{ title: ['Red sea', 'Rotes Meer'], description: ['diving at dawn', 'Tauchen'], width: 4000, height: 3000, expires: '2025-06-30' },
    ...{ latitude: 27.25, longitude: 33.83 },
  },
  {
    ...{ mediaId: 5, folders: [3, 4], created: at('2024-01-25'), cameraCreated: at('2020-10-10'), modified: at('2024-01-26') },
    ...{ keywords: ['redwood', 'forest'], filename: 'redWood2024.JPG', width: 6000, height: 4000, latitude: 41.2, longitude: -124.0 },
  },
  {
    ...{ mediaId: 6, folders: [4], created: at('2024-03-01'), cameraCreated: at('2022-08-08'), modified: at('2024-03-02') },
    ...{ description: 'red, but in the description only', filename: 'scan.tif', width: 600, height: 600 },
  },
  {
    ...{ mediaId: 7, folders: [5], created: at('2024-03-01'), cameraCreated: null, modified: at('2024-03-01') },
    ...{ suggestedKeywords: ['Reddish', 'wine bottle'], byline: 'Ann Redgrave', filename: 'DSC0007.ARW', width: 7000, height: 4000 },
    ...{ latitude: -17.7, longitude: 178.1 },
  },
  {
    ...{ mediaId: 8, folders: [5], created: at('2023-12-24'), cameraCreated: at('2023-12-24'), modified: at('2023-12-24') },
    ...{ copyright: 'Red Agency', title: 'Boat trip', keywords: ['sea', 'harbour'], width: 1200, height: 800, expires: '2024-02-29' },
    ...{ latitude: -17.7, longitude: -179.9 },
  },
  {
    ...{ mediaId: 9, folders: [1, 5, 6], created: at('2024-02-20'), cameraCreated: at('2018-01-01'), modified: at('2024-02-20') },
    ...{
      title: 'Smørrebrød på Ærø',
      keywords: ['Åben ild', 'café'],
      byline: 'Øjvind Müller',
      filename: 'frokost.heic',
      width: 800,
      height: 1200,
    },
  },
  {
    ...{ mediaId: 10, kind: 'vector', folders: [6], created: at('2024-02-21'), cameraCreated: null, modified: at('2024-02-22') },
    ...{
      title: '東京タワーの夜景',
      keywords: ['東京', 'tower 🎉'],
      filename: 'tokyo.svg',
      width: 500,
      height: 500,
      latitude: 35.66,
      longitude: 139.75,
    },
  },
  {
    ...{ mediaId: 11, kind: 'vector', folders: [7], created: at('2024-02-22'), cameraCreated: null, modified: at('2024-02-22') },
    ...{ filename: 'Straße_Köln-2023.final.PNG', title: 'Cologne', width: 500, height: 400 },
  },
  {
    ...{ mediaId: 12, kind: 'generic', folders: [7], created: at('2024-02-23'), cameraCreated: null, modified: at('2024-02-23') },
    ...{
      title: 'Contract 2024',
      filename: 'contract-v2.pdf',
      description: 'model release; boats',
      width: null,
      height: null,
      expires: '2024-02-29',
    },
  },
  { mediaId: 13, kind: 'generic', folders: [8], created: at('2024-02-24'), modified: at('2024-02-24'), width: null, height: null },
  {
    ...{ mediaId: 2024, folders: [8], created: at('2024-02-24'), cameraCreated: at('1969-07-20'), modified: at('2024-02-25') },
    ...{ title: 'Moon, with craters', keywords: ['black-and-white', 'still'], width: 1000, height: 1000, latitude: 89.9, longitude: 0 },
  },
]
