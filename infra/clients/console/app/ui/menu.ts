import type { IconName } from './Icon.svelte'

/** An entry of a menu. */
export interface MenuItem {
  label: string
  /** What choosing it brings, where the label doesn't tell. */
  hint?: string
  icon?: IconName
  isChosen?: boolean
  /** Begins a group of its own. */
  begins?: boolean
  run(): void
}
