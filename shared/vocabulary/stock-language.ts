/** Languages in which a search of the stock library can show its items. */
export const stockLanguages = ['en', 'da', 'de'] as const
export type StockLanguage = (typeof stockLanguages)[number]
