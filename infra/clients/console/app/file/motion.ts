const OPTIONS: KeyframeAnimationOptions = { duration: 180, easing: 'ease-out' }

const isWanted = (): boolean => matchMedia('(prefers-reduced-motion: no-preference)').matches

/** Lets an element come from where a tile is. */
export function growFrom(element: HTMLElement, tile: DOMRect): void {
  if (!isWanted() || tile.width === 0) return
  const own = element.getBoundingClientRect()
  const [x, y] = [tile.x + tile.width / 2 - own.x - own.width / 2, tile.y + tile.height / 2 - own.y - own.height / 2]
  element.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${tile.width / own.width})`, opacity: 0.4 }, { transform: 'none' }],
    OPTIONS,
  )
}

/** Lets an element slide in. @param direction 1 from the right, -1 from the left */
export function slideIn(element: HTMLElement, direction: number): void {
  if (isWanted()) element.animate([{ transform: `translateX(${direction * 64}px)`, opacity: 0 }, { transform: 'none' }], OPTIONS)
}
