import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Bench, benches } from './benches.ts'
import { report } from './report.ts'

/**
 * `npm run bench`: lists what can be measured and measures all that is quick. `npm run bench -- kernel uploads`: measures just that.
 * `npm run bench -- search-http --files 20000`: sizes by flags.
 */
function list(): string {
  const names = Object.keys(benches)
  const width = Math.max(...names.map((name) => name.length))
  return Object.entries(benches)
    .map(([name, { summary, quick, defaults }]) => {
      const flags = Object.entries(defaults).map(([flag, value]) => ` --${flag} ${value}`)
      return `${name.padEnd(width)}  ${summary}${quick ? '' : ' (only by name)'}\n${' '.repeat(width)} ${flags.join('')}`
    })
    .join('\n')
}

/** @param given flags of the command line that the bench knows */
async function measure(name: string, bench: Bench, given: Record<string, number>): Promise<void> {
  const flags = Object.entries(given).map(([flag, value]) => ` --${flag} ${value}`)
  console.log(`\n${name}: ${bench.summary} (load average before: ${loadavg()[0]!.toFixed(1)})`)
  console.log(report(await bench.run({ ...bench.defaults, ...given })))
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
  if (positionals.length === 0) console.log(list())
  const names = positionals.length > 0 ? positionals : Object.keys(benches).filter((name) => benches[name]!.quick)
  for (const [flag] of flags) {
    if (!names.some((name) => flag in (benches[name]?.defaults ?? {}))) throw new TypeError(`--${flag} is no flag of ${names.join(', ')}`)
  }
  for (const name of names) {
    const bench = benches[name]
    if (!bench) throw new TypeError(`There is no bench called ${name}. There are:\n${list()}`)
    await measure(name, bench, Object.fromEntries(flags.filter(([flag]) => flag in bench.defaults)))
  }
}

await main().catch((error: Error) => {
  console.error(error instanceof TypeError ? error.message : error)
  process.exitCode = error instanceof TypeError ? 2 : 1
})
