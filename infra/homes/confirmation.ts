import type { Console } from './terminal.ts'

/** The option of commands that delete for good. */
export const YES = ['--yes', 'delete without a question'] as const

/**
 * Makes the operator type a name before a permanent deletion.
 * @param warning what else is deleted
 * @throws Error unless they do
 */
export async function requireConfirmation(console: Console, name: string, warning: string): Promise<void> {
  const typed = await console.ask(`${warning} Type "${name}" to delete it for good: `)
  if (typed.trim().normalize('NFC') !== name) throw new Error('Nothing was deleted. To delete without a question: --yes')
}
