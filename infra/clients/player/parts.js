/**
 * A part of the page.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind class of the element
 * @returns {Kind}
 */
export function part(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new TypeError(`the page has no ${id}`)
  return found
}
