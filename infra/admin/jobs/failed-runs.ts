import type { Command } from 'commander'
import type { Console } from '../../homes/terminal.ts'
import { act, noun, verb } from '../command.ts'
import { type Retried, retryFailedRuns } from './retry-failed-runs.ts'

/** `failed-runs retry` */
export function failedRunCommands(program: Command, console: Console): void {
  const failedRuns = noun(program, 'failed-runs', 'what functions of a stack failed on for good: changes, messages of services, schedules')

  verb(failedRuns, 'retry', 'do what functions failed on for good, once the cause is removed', ['failed-runs retry --stack media-library'])
    .addHelpText('after', HELP)
    .action(
      act(console, async (library) => {
        const retried = await retryFailedRuns(await library.openFailedRuns())
        return { json: retried, text: sentences(retried).join('\n'), failed: retried.failed + retried.unknown > 0 }
      }),
    )
}

function sentences({ changes, messages, schedules, failed, unknown }: Retried): string[] {
  const said = [
    changes > 0 && `Changes of the table that were handled: ${changes}.`,
    messages > 0 && `Messages of services that were noted: ${messages}.`,
    schedules > 0 && `Letters of scheduled runs that were removed: ${schedules}. The next run does the same.`,
    failed > 0 && `Changes and messages that failed again, and stay: ${failed}. The functions' logs say why.`,
    unknown > 0 && `Letters and objects that hold nothing to do: ${unknown}. Look at them, then purge the queue.`,
  ].filter((each) => each !== false)
  return said.length > 0 ? said : ['Nothing has failed for good.']
}

const HELP = `
The stack keeps what a function failed on: changes of the table for 21 days, other letters for 14. Events keep their ids, so one that was told is
not told again, and a command that was interrupted is repeated. Those who give it need the rights to invoke the stack's functions, to read and
delete objects of the bucket FailedChangesBucket, and to receive and delete messages of the queue FailedRunsQueue (outputs of the stack).`
