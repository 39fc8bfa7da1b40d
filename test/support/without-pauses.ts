import { onTestFinished, vi } from 'vitest'

/** Lets the tries of a test follow at once: the pauses between them are random shares of what they may be. */
export function withoutPauses(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => random.mockRestore())
}
