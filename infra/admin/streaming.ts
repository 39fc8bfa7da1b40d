import type { Command } from 'commander'
import { notAvailableYet, noun, verb } from './command.ts'
import { id } from './values.ts'

/** `streaming enable`, `streaming disable` */
export function streamingCommands(program: Command): void {
  const streaming = noun(program, 'streaming', 'whether a company may make HLS streams of its videos')
  for (const action of ['enable', 'disable']) {
    verb(streaming, action, `${action} streaming`, [`streaming ${action} --company 42`])
      .requiredOption('--company <id>', 'the company', id)
      .action(notAvailableYet('Video streaming'))
  }
}
