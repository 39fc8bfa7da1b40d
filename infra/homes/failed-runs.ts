import type { ObjectReader, Objects } from '../../shared/backends/objects/port.ts'

/** A message that waits in the queue of failed runs. */
export interface Letter {
  id: string
  body: string
  /** Names it while it is hidden. */
  receipt: string
}

/** What functions of a stack failed on for good, and the functions, which can do it again. */
export interface FailedRuns {
  /** Batches of changes that consumers gave up, as Lambda keeps them. */
  changes: ObjectReader & Pick<Objects, 'delete'>
  letters: {
    /** Hides some letters from others for minutes. @returns none when there are no more */
    receive(): Promise<Letter[]>
    remove(letter: Letter): Promise<void>
    /** Shows a letter again. */
    giveBack(letter: Letter): Promise<void>
  }
  /** Name of the function that consumes what services tell. */
  serviceConsumer: string
  /** Runs a function to its end. @param fn its name or ARN @returns whether it succeeded @throws when it can't be started */
  run(fn: string, event: unknown): Promise<boolean>
}
