import { Argument, type Command } from 'commander'
import type { Surroundings } from '../command.ts'

/** Words that may follow a command: its own commands, and options of both. */
interface Words {
  name: string
  inner: string[]
  options: string[]
}

/** What makes the completion of a shell. Paths are completed where no option is begun. */
const scripts: Record<string, (commands: readonly Words[]) => string> = {
  bash: (commands) => `_media_library() {
  local IFS=$' \\t\\n' word=\${COMP_WORDS[COMP_CWORD]} inner= options=
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${namesOf(commands)}' -- "$word")); return; fi
  case \${COMP_WORDS[1]} in
${commands.map(({ name, inner, options }) => `    ${name}) inner='${inner.join(' ')}' options='${options.join(' ')}' ;;`).join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); return; fi
  [ "$COMP_CWORD" -eq 2 ] || inner=
  inner=$(compgen -W "$inner" -- "$word")
  IFS=$'\\n'
  COMPREPLY=($inner $(compgen -f -- "$word"))
}
complete -o filenames -F _media_library media-library`,
  zsh: (commands) => `#compdef media-library
_media_library() {
  if (( CURRENT == 2 )); then compadd -- ${namesOf(commands)}; return; fi
  local -a inner options
  case $words[2] in
${commands.map(({ name, inner, options }) => `    ${name}) inner=(${inner.join(' ')}) options=(${options.join(' ')}) ;;`).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then compadd -- $options; return; fi
  if (( CURRENT == 3 )); then compadd -- $inner; fi
  _files
}
compdef _media_library media-library`,
  fish: (commands) =>
    [
      `complete -c media-library -n __fish_use_subcommand -f -a '${namesOf(commands)}'`,
      ...commands.flatMap(({ name, inner, options }) => {
        const complete = `complete -c media-library -n '__fish_seen_subcommand_from ${name}'`
        const own = inner.length > 0 ? [`${complete} -a '${inner.join(' ')}'`] : []
        return [...own, ...options.map((option) => `${complete} -l ${option.replace(/^--/, '')}`)]
      }),
    ].join('\n'),
}

const namesOf = (commands: readonly Words[]): string => commands.map(({ name }) => name).join(' ')

export function completionCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('completion')
    .description('print what completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .action((shell: string) => surroundings.out(scripts[shell]!(wordsOf(program))))
}

function wordsOf(program: Command): Words[] {
  const long = (command: Command) => command.options.flatMap((option) => option.long ?? [])
  return program.commands.map((command) => ({
    name: command.name(),
    inner: command.commands.map((inner) => inner.name()),
    options: [...new Set([...command.commands.flatMap(long), ...long(command), ...long(program)])],
  }))
}
