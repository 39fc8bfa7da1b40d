import { progress as progressBar } from '@clack/prompts'
import type { Surroundings } from './command.ts'
import { counted, sizeText } from './output.ts'

/** Milliseconds between two states that are shown. */
const PAUSE = 100

/** How far a transfer of many files is. */
export interface Progress {
  /** Counts bytes that have arrived; a negative number takes some back. */
  add(bytes: number): void
  fileDone(): void
  end(): void
}

const silent: Progress = { add() {}, fileDone() {}, end() {} }

/** Shows progress where standard error is a terminal. */
export function startProgress({ terminal }: Surroundings, verb: string): Progress {
  if (!terminal) return silent
  const bar = progressBar({ output: terminal, style: 'block', max: 100 })
  bar.start(verb)
  let [bytes, files, shownAt] = [0, 0, 0]
  const show = () => {
    const now = performance.now()
    if (now < shownAt + PAUSE) return
    shownAt = now
    bar.message(`${verb}: ${counted(files)} files, ${sizeText(Math.max(0, bytes))}`)
  }
  return {
    add(more) {
      bytes += more
      show()
    },
    fileDone() {
      files++
      show()
    },
    end: () => bar.stop(`${verb}: ${counted(files)} files, ${sizeText(Math.max(0, bytes))}`),
  }
}
