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
  if (document.activeElement === document.body) homes.at(-1)?.()
}
