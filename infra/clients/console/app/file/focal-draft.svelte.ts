import type { Schemas } from '../api/client.ts'
import type { Point } from './zoom.ts'

/** What is being changed of a picture's focal point: what cuts of it keep, in fractions of its sides. */
export class FocalDraft {
  /** null: cuts keep the middle. */
  point = $state.raw<Point | null>(null)
  /** What somebody else saved meanwhile, which waits for a choice. */
  theirs = $state.raw<{ point: Point | null }>()
  #before = $state.raw<Point | null>(null)

  get isChanged(): boolean {
    return !isSame(this.point, this.#before)
  }

  /** @param to others stay as they are; of a picture that has none it is the middle that changes */
  move(to: Partial<Point>): void {
    const { x, y } = { ...(this.point ?? MIDDLE), ...to }
    this.point = { x: fraction(x), y: fraction(y) }
  }

  clear(): void {
    this.point = null
  }

  discard(): void {
    this.point = this.#before
    this.theirs = undefined
  }

  /** Ends a conflict. @param isTheirs whether what somebody else saved is taken */
  choose(isTheirs: boolean): void {
    if (this.theirs && isTheirs) this.point = this.theirs.point
    this.theirs = undefined
  }

  /** Puts what was changed here on what the service has by now. What both changed waits for a choice. */
  rebase({ focal_point: saved }: Schemas['Media']): void {
    const isChanged = this.isChanged
    if (isChanged && !isSame(saved, this.#before)) this.theirs = isSame(saved, this.point) ? undefined : { point: saved }
    this.#before = saved
    if (!isChanged) this.point = saved
  }

  noteSaved(point: Point | null): void {
    this.#before = point
  }
}

export const MIDDLE: Point = { x: 0.5, y: 0.5 }

/** As many decimals as the service keeps. */
const fraction = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000

const isSame = (one: Point | null, other: Point | null): boolean => one?.x === other?.x && one?.y === other?.y
