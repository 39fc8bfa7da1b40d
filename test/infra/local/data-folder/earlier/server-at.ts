import { startServer } from '../../../../../infra/local/server.ts'
import { readSettings } from '../../../../../infra/local/settings.ts'
import { systemClock } from '../../../../../shared/backends/clock/port.ts'
import { jsonLog } from '../../../../../shared/log/json-log.ts'

/** The server as a process, at another time: `node server-at.ts NOW`, in UNIX milliseconds. Folders of earlier versions would age otherwise. */
const offset = Number(process.argv[2]) - Date.now()
const say = (text: string) => process.stderr.write(`${text}\n`)
const clock = { ...systemClock, now: () => Date.now() + offset }
const { baseUrl } = await startServer(readSettings(process.env), { log: jsonLog(say), say, isTerminal: false, clock })
process.stdout.write(`ready ${baseUrl}\n`)
