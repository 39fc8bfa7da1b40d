import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Bench, benches, measured, quick } from './benches.ts'
import { report } from './report.ts'

/**
 * `npm run bench` lists what can be measured; `npm run bench -- kernel uploads` measures that, `-- quick` all that is quick, `-- all`
 * everything; `npm run bench -- mixed-load --files 20000` takes sizes by flags.
 */
const HELP = `
Measure one or several by name, with flags where the defaults don't fit, on a machine that does nothing else:

  npm run bench -- kernel uploads
  npm run bench -- folders --folders 20000
  npm run bench -- quick     all that takes under a minute each and needs nothing but the project
  npm run bench -- all       everything, which takes long`

const GROUPS: Readonly<Record<string, (name: string) => boolean>> = { all: () => true, quick: (name) => quick.includes(name) }

/** Names of benches for what was asked for: names, `quick` or `all`, each once. */
function chosen(asked: readonly string[]): string[] {
  return [...new Set(asked.flatMap((name) => (GROUPS[name] ? Object.keys(benches).filter(GROUPS[name]) : [name])))]
}

function list(): string {
  const names = Object.keys(benches)
  const width = Math.max(...names.map((name) => name.length))
  return Object.entries(benches)
    .map(([name, { summary, defaults }]) => {
      const flags = Object.entries(defaults).map(([flag, value]) => ` --${flag} ${value}`)
      return `${name.padEnd(width)}  ${summary}${quick.includes(name) ? ' (quick)' : ''}\n${' '.repeat(width)} ${flags.join('')}`
    })
    .join('\n')
}

/** @param given flags of the command line that the bench knows */
async function measure(name: string, bench: Bench, given: Record<string, number>): Promise<void> {
  const flags = Object.entries(given).map(([flag, value]) => ` --${flag} ${value}`)
  console.log(`\n${name}: ${bench.summary} (load average before: ${loadavg()[0]!.toFixed(1)})`)
  console.log(report(await measured(name, { ...bench.defaults, ...given })))
  console.log(`again: npm run bench -- ${name}${flags.join('')}`)
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new TypeError(`--${flag} takes a whole number`)
  return Number(text)
}

async function main(): Promise<void> {
  const known = new Set(Object.values(benches).flatMap(({ defaults }) => Object.keys(defaults)))
  const options = Object.fromEntries([...known].map((flag) => [flag, { type: 'string' as const }]))
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const flags = Object.entries(values).map(([flag, text]) => [flag, wholeNumber(flag, String(text))] as const)
  if (positionals.length === 0) return console.log(`${list()}\n${HELP}`)
  const names = chosen(positionals)
  const unknown = names.find((name) => !benches[name])
  if (unknown !== undefined) throw new TypeError(`There is no bench called ${unknown}. There are:\n${list()}`)
  for (const [flag] of flags) {
    if (!names.some((name) => flag in benches[name]!.defaults)) throw new TypeError(`--${flag} is no flag of ${names.join(', ')}`)
  }
  for (const name of names) {
    const bench = benches[name]!
    await measure(name, bench, Object.fromEntries(flags.filter(([flag]) => flag in bench.defaults)))
  }
}

await main().catch((error: Error) => {
  console.error(error instanceof TypeError ? error.message : error)
  process.exitCode = error instanceof TypeError ? 2 : 1
})
