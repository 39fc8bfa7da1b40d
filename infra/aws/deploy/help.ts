import { CDK_OPTIONS } from './arguments.ts'

/** Prints how a command is used and ends, where that is asked for. @param usage its own options, a line each */
export function helpWhereAsked(args: readonly string[], usage: string): void {
  if (!args.some((arg) => arg === '--help' || arg === '-h')) return
  console.log(`${usage}\n${CDK_OPTIONS}`)
  process.exit(0)
}
