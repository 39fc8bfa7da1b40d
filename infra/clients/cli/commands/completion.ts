import { Argument, type Command } from 'commander'
import type { Surroundings } from '../command.ts'

/** Words that may follow: names of commands by themselves, and of the options of each. */
interface Words {
  commands: string[]
  options: Map<string, string[]>
}

/** What makes the completion of a shell. Paths are completed where no option is begun. */
const scripts: Record<string, (words: Words) => string> = {
  bash: ({ commands, options }) => `_media_library() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${commands.join(' ')}' -- "$word")); return; fi
  local words=
  case \${COMP_WORDS[1]} in
${[...options].map(([name, own]) => `    ${name}) words='${own.join(' ')}' ;;`).join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _media_library media-library`,
  zsh: ({ commands, options }) => `#compdef media-library
_media_library() {
  if (( CURRENT == 2 )); then compadd -- ${commands.join(' ')}; return; fi
  local -a own
  case $words[2] in
${[...options].map(([name, own]) => `    ${name}) own=(${own.join(' ')}) ;;`).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then compadd -- $own; else _files; fi
}
compdef _media_library media-library`,
  fish: ({ commands, options }) =>
    [
      `complete -c media-library -n __fish_use_subcommand -f -a '${commands.join(' ')}'`,
      ...[...options].flatMap(([name, own]) =>
        own.map((option) => `complete -c media-library -n '__fish_seen_subcommand_from ${name}' -l ${option.replace(/^--/, '')}`),
      ),
    ].join('\n'),
}

export function completionCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('completion')
    .description('print what completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .action((shell: string) => surroundings.out(scripts[shell]!(wordsOf(program))))
}

function wordsOf(program: Command): Words {
  const long = (command: Command) => command.options.flatMap((option) => option.long ?? [])
  const commands = program.commands.filter((command) => command.name() !== 'help')
  const ownOf = (command: Command): string[] => [...command.commands.flatMap((inner) => [inner.name(), ...long(inner)]), ...long(command)]
  const options = commands.map((command): [string, string[]] => [command.name(), [...new Set([...ownOf(command), ...long(program)])]])
  return { commands: commands.map((command) => command.name()), options: new Map(options) }
}
