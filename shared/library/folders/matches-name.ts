/** Whether a folder's name contains the text, ignoring case and diacritics. */
export function matchesName(text: string, name: string): boolean {
  return fold(name).includes(fold(text.trim()))
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
