import type { Command } from 'commander'
import { untilDone } from '../../client/until-done.ts'
import { type Surroundings, signedIn, unlessMissing } from '../command.ts'
import { exitCodes, Failure } from '../exit-code.ts'
import { idOf } from '../folders.ts'

export function streamCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('stream')
    .description('make the public HLS stream of a video, and tell its address')
    .argument('<ID>', 'id of the video')
    .option('--no-wait', 'do not wait until it is encoded')
    .action(
      signedIn<{ wait: boolean }>(surroundings, async ({ library, output, surroundings: { signal } }, [given], { wait }) => {
        const id = idOf(given!)
        if (!id) throw new Failure(exitCodes.usage, `${given} is no id of a file.`)
        const params = { path: { id } }
        await library.post('/media/{id}/stream', { params })
        const find = async () => (await unlessMissing(library.get('/media/{id}/metadata/stream_url', { params })))?.Stream
        const url = wait ? await untilDone(find, signal) : await find()
        output.line({ id, url: url ?? null }, url ?? 'being encoded')
      }),
    )
}
