import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import xz from 'xz-decompress'
import { DATA_FORMAT, schemaOf } from '../../../../infra/local/data-folder/format.ts'
import { startServer } from '../../../../infra/local/server.ts'
import { readSettings } from '../../../../infra/local/settings.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { jsonLog } from '../../../../shared/log/json-log.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { runCommand } from '../../admin/run-command.ts'
import { ServerProcess } from '../server-process.ts'
import { type Answers, everyAnswer, type Made, sha256, signIn } from './earlier/answers.ts'

const earlier = join(import.meta.dirname, 'earlier')
const archives = readdirSync(earlier).filter((name) => name.endsWith('.tar.xz'))
/** Milliseconds from the end of the earlier version to the start of this one. */
const AFTER = 60_000
/** Most milliseconds that a start has before it is killed: about what a whole one takes. */
const LONGEST = 1_500

describe.each(archives)('the data folder that %s made', (archive) => {
  let parent: string
  let directory: string
  let made: Made
  /** What that version answered. */
  let answers: Answers
  beforeEach(async () => {
    parent = temporaryDirectory()
    const compressed = ReadableStream.from([new Uint8Array(readFileSync(join(earlier, archive)))])
    const input = await new Response(new xz.XzReadableStream(compressed)).bytes()
    execFileSync('tar', ['-C', parent, '-x'], { input })
    directory = join(parent, 'data')
    const read = (name: string) => JSON.parse(readFileSync(join(parent, name), 'utf8'))
    made = read('made.json')
    answers = read('answers.json')
  })

  /** Does something with a server whose clock goes on from when the folder was finished. */
  async function withServer(work: (baseUrl: string, now: () => number) => Promise<void>): Promise<void> {
    const offset = made.at + AFTER - Date.now()
    const now = () => Date.now() + offset
    const settings = readSettings({ PORT: '0', DATA_DIR: directory })
    const surroundings = { log: jsonLog(() => undefined), say: () => undefined, isTerminal: false, clock: { ...systemClock, now } }
    const server = await startServer(settings, surroundings)
    try {
      await work(server.baseUrl, now)
    } finally {
      await server.stop(5_000)
    }
  }

  /** Whether this was asked for what the admin may see: a refusal then says that somebody has no right. */
  function isOthers(asked: string): boolean {
    const [admin] = made.people
    const path = asked.slice(asked.indexOf(' '))
    return (answers[admin!.username + path]?.status ?? 404) < 400
  }

  async function opensWhole(): Promise<void> {
    const before = Object.entries(answers).filter(([asked, { status }]) => status < 400 || isOthers(asked))
    const { person, mediaId, sha256: bytes, deletedFolder } = made.late
    await withServer(async (baseUrl, now) => {
      const within = { timeout: 120_000, interval: 500 }
      await vi.waitFor(async () => {
        const today = await everyAnswer(baseUrl, made, now)
        expect(Object.fromEntries(before.map(([asked]) => [asked, today[asked]]))).toMatchObject(Object.fromEntries(before))
      }, within)
      const authorization = await signIn(baseUrl, person, now())
      const ask = (path: string) => fetch(baseUrl + path, { headers: { authorization } })
      await vi.waitFor(async () => {
        const { url } = (await (await ask(`/media/${mediaId}/download_location?original=1`)).json()) as { url: string }
        expect(sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()))).toBe(bytes)
      }, within)
      assert.equal((await ask(`/folder/${deletedFolder}`)).status, 404)
    })
    const check = await runCommand(directory, ['check', '--deep'])
    assert.deepEqual([check.code, check.out], [0, 'The library is clean.'])
  }

  it('is opened: answers, rights and bytes are the same, and what waited is done', opensWhole)

  it('is opened after its update was killed ten times', async () => {
    const isOlder = schemaOf(directory) < DATA_FORMAT
    const program = [join(earlier, 'server-at.ts'), String(made.at + AFTER)]
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const killed = new ServerProcess(directory, {}, [process.execPath, '--require', './infra/start-up.cjs', ...program])
      await Promise.race([sleep(Math.random() * LONGEST), killed.exited])
      await killed.end('SIGKILL')
    }
    await opensWhole()
    assert.equal(existsSync(join(directory, `before-format-${DATA_FORMAT}`, 'table.db')), isOlder)
  })
})
