/** Whether a key is for what has the focus, or for the browser. */
export const hasOwnKeys = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=menu]') !== null)
