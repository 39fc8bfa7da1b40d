import { tick } from 'svelte'

let homes: readonly (() => void)[] = []

/** Says where the focus goes when what has it goes away. The last one that is there counts. @returns what takes that back */
export function offerFocus(take: () => void): () => void {
  homes = [...homes, take]
  return () => {
    homes = homes.filter((other) => other !== take)
  }
}

/** Gives the focus a place where what had it goes away now. Else keys do nothing any more. */
export async function keepFocus(): Promise<void> {
  await tick()
  const { activeElement: focused, body } = document
  // What is disabled keeps the focus, and takes no keys.
  if (focused === body || focused?.matches(':disabled')) homes.at(-1)?.()
}

/** Lets a combobox take what is being typed in it, as it does when it loses the focus. The focus stays. */
export function commitTyped(): void {
  const { activeElement: field } = document
  if (!(field instanceof HTMLInputElement) || field.role !== 'combobox') return
  field.blur()
  field.focus()
}
