/**
 * Makes one tab stop of the links and buttons in an element, as a tree is one: arrow keys, Home and End go from one to the next.
 * Tab leads to the one that had the focus last, at first to the present page, or to what is pressed.
 */
export function oneStop(group: HTMLElement): () => void {
  const entries = () => [...group.querySelectorAll<HTMLElement>('a, button')]
  const choose = (stop: HTMLElement | undefined) => {
    for (const entry of entries()) entry.tabIndex = entry === stop ? 0 : -1
  }
  const onFocus = ({ target }: FocusEvent) => choose(entries().find((entry) => entry === target))

  function onKey(event: KeyboardEvent): void {
    const all = entries()
    const present = all.indexOf(document.activeElement as HTMLElement)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: present + 1,
      ArrowRight: present + 1,
      ArrowUp: present - 1,
      ArrowLeft: present - 1,
      Home: 0,
      End: all.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    all[Math.max(0, Math.min(next, all.length - 1))]?.focus()
  }

  // Entries come and go.
  const observer = new MutationObserver(() => choose(entries().find((entry) => entry.tabIndex === 0) ?? entries()[0]))
  observer.observe(group, { childList: true, subtree: true })
  choose(entries().find((entry) => entry.ariaCurrent || entry.ariaPressed === 'true') ?? entries()[0])
  group.addEventListener('focusin', onFocus)
  group.addEventListener('keydown', onKey)
  return () => {
    observer.disconnect()
    group.removeEventListener('focusin', onFocus)
    group.removeEventListener('keydown', onKey)
  }
}
