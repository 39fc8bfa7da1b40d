/** How far a finger moves for the next file, in pixels. */
const FAR = 60

/**
 * Follows a finger that moves sideways over an element, and tells where it went.
 * @param isAllowed whether a finger moves nothing else there
 * @param onswipe called with 1 for what follows, -1 for what is before
 */
export function swipe(isAllowed: () => boolean, onswipe: (direction: 1 | -1) => void) {
  return (element: HTMLElement) => {
    let start: { id: number; x: number; y: number } | undefined
    let by = 0
    const move = (distance: number) => {
      by = distance
      element.style.translate = distance === 0 ? '' : `${distance}px 0`
    }
    const listeners = new AbortController()
    const listen = (type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', heard: (event: PointerEvent) => void) =>
      (type === 'pointerdown' ? element : window).addEventListener(type, heard as EventListener, { signal: listeners.signal })
    listen('pointerdown', (event) => {
      const isOwn = event.target instanceof Element && event.target.closest('input, button, audio, a, [data-no-swipe]')
      // A second finger ends it: that is a pinch.
      if (start || event.pointerType !== 'touch' || isOwn || !isAllowed()) {
        start = undefined
        move(0)
      } else start = { id: event.pointerId, x: event.clientX, y: event.clientY }
    })
    listen('pointermove', (event) => {
      if (event.pointerId !== start?.id) return
      const [x, y] = [event.clientX - start.x, event.clientY - start.y]
      if (Math.abs(x) > Math.abs(y)) move(x)
    })
    listen('pointerup', (event) => {
      if (event.pointerId !== start?.id) return
      const distance = by
      start = undefined
      move(0)
      if (Math.abs(distance) >= FAR) onswipe(distance < 0 ? 1 : -1)
    })
    listen('pointercancel', () => {
      start = undefined
      move(0)
    })
    return () => listeners.abort()
  }
}
