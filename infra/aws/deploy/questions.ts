import { terminal } from '../../homes/terminal.ts'

/** Whether a person sits there who can be asked. */
export const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks a person. @throws Error that ends the command unless they say yes */
export async function requireYes(question: string, { ask }: Pick<typeof terminal, 'ask'> = terminal): Promise<void> {
  if (!/^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())) throw new Error('Nothing was changed.')
}
