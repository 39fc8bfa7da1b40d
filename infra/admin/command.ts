import { Command } from 'commander'
import type { OperatorActor } from '../../shared/library/actor.ts'
import type { OpenLibrary } from '../homes/open-library.ts'
import type { Console } from '../homes/terminal.ts'
import { explainFailure } from '../local/data-folder/failure.ts'
import { requireLibrary } from '../local/data-folder/prepare.ts'
import { dataDirectory } from '../local/settings.ts'
import { openLibrary } from './library/library.ts'
import { WrongUsage } from './values.ts'

/** The answer of a command, for programs and for people. */
export interface Result {
  /** A value; for long ones a function that yields its JSON in pieces, one per line. */
  json: unknown
  text: string
  /** A warning for the operator, for standard error. */
  warning?: string | undefined
  /** Whether the answer reports a problem: exit code 1. */
  failed?: boolean
  /** Releases resources once the answer is printed. */
  afterwards?(): Promise<void>
}

/** Ends a command with exit code 1 after its answer was printed. */
export class Failed extends Error {
  override name = 'Failed'
}

/** A command whose error names all missing options. (Commander names only the first.) */
export class AdminCommand extends Command {
  override createCommand(name?: string): AdminCommand {
    return new AdminCommand(name)
  }

  /** Commander calls this for the first missing option. */
  missingMandatoryOptionValue(): never {
    const missing = this.options.filter((option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined)
    const names = missing.map(({ flags }) => `'${flags}'`).join(', ')
    this.error(`error: required option${missing.length === 1 ? '' : 's'} ${names} not specified`)
  }
}

interface GlobalOptions {
  json?: boolean
  stack?: string
  profile?: string
}

/** Adds a noun: a group of commands, or a noun within another one. */
export function noun(program: Command, name: string, description: string): Command {
  const group = program.command(name).description(description)
  return group.addHelpText('after', () => examplesText(examplesOf.get(group) ?? []))
}

/** Examples of the verbs of a noun and of the nouns within it, for the noun's own help. */
const examplesOf = new WeakMap<Command, string[]>()

function examplesText(examples: readonly string[]): string {
  return `\nExamples:${examples.map((example) => `\n  npm run --silent admin -- ${example}`).join('')}`
}

/**
 * Adds a verb to a noun.
 * @param examples whole command lines, without `npm run --silent admin --`
 */
export function verb(parent: Command, name: string, description: string, examples: readonly string[]): Command {
  for (let group: Command | null = parent; group; group = group.parent) {
    examplesOf.set(group, [...(examplesOf.get(group) ?? []), ...examples])
  }
  return parent.command(name).description(description).addHelpText('after', examplesText(examples))
}

/** Dependencies of a command. */
export interface CommandLibrary extends OpenLibrary {
  by: OperatorActor
}

/** `user create`: the words by which a command is called. */
function fullName(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name()
}

/**
 * Makes an action for commander that opens the library, does the work, prints the result, and turns `WrongUsage` into usage errors. Work without a
 * result writes its answer itself.
 * @param work receives the values of the command's own options, and its arguments
 * @param makesLibrary whether the command creates a missing local library
 */
export function act<Options extends object = object>(
  console: Console,
  work: (library: CommandLibrary, options: Options, args: readonly string[]) => Promise<Result | undefined>,
  { makesLibrary = false } = {},
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command
    const { json, stack, profile } = command.optsWithGlobals<GlobalOptions>()
    const library = await openLibrary({ stack, profile, environment: console.environment, clock: console.clock, makesLibrary })
    try {
      const by = { kind: 'operator', command: fullName(command) } as const
      const result = await work({ ...library, by }, command.opts<Options>(), command.args)
      try {
        if (result) print(console, json, result)
      } finally {
        await result?.afterwards?.()
      }
    } catch (error) {
      if (error instanceof WrongUsage) command.error(`error: ${error.message}`)
      throw library.explain(error)
    } finally {
      library.close()
    }
  }
}

/**
 * Makes an action for commander that works on the local data folder as a whole.
 * @param work receives the folder's path, the values of the command's own options, and its arguments
 * @param needsLibrary whether the folder must have a library
 */
export function actOnFolder<Options extends object>(
  console: Console,
  work: (directory: string, options: Options, args: readonly string[]) => Promise<Result>,
  { needsLibrary = true } = {},
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command
    const { json, stack } = command.optsWithGlobals<GlobalOptions>()
    if (stack !== undefined) command.error(`error: "${fullName(command)}" works on local data, not on a stack`)
    const directory = dataDirectory(console.environment.DATA_DIR)
    try {
      if (needsLibrary) requireLibrary(directory)
      print(console, json, await work(directory, command.opts<Options>(), command.args))
    } catch (error) {
      throw explainFailure(error, directory)
    }
  }
}

/** @throws Failed */
function print(console: Console, asJson: boolean | undefined, { json, text, warning, failed }: Result): void {
  if (!asJson) console.out(text)
  else if (typeof json !== 'function') console.out(JSON.stringify(json))
  else for (const line of json() as Iterable<string>) console.out(line)
  if (warning) console.error(warning)
  if (failed) throw new Failed(text)
}
