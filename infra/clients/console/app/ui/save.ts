/** Downloads what an address offers as a file. @param name by default as the address says */
export function saveFrom(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
