import type { Component } from 'svelte'
import { notices } from './notices.svelte.ts'

/** What every dialog is given besides its own. */
export interface Closable {
  onclose(): void
}

interface Shown {
  component: Component<Closable>
  props: object
}

/** The dialog that is open. Its code is loaded when it is opened first. */
class Dialogs {
  shown = $state.raw<Shown>()
  #waiting: (() => void)[] = []

  async open<Props extends object>(load: () => Promise<{ default: Component<Props & Closable> }>, props: Props): Promise<void> {
    try {
      const { default: component } = await load()
      this.shown = { component: component as unknown as Component<Closable>, props }
    } catch (error) {
      notices.fail(error)
    }
  }

  close(): void {
    this.shown = undefined
    this.#waiting.shift()?.()
  }

  /** Waits until no dialog is open. */
  async closed(): Promise<void> {
    if (this.shown) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

export const dialogs = new Dialogs()
