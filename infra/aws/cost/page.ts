import { type Calls, type Counted, TOLD_EVENT } from './counted.ts'
import { libraries, usageOfLibrary } from './libraries.ts'
import { sharePage, usageOfOperation, usageOfRun, usageOfVisit } from './operation.ts'
import { beyondAllowances, costOf, prices, sumOf } from './prices.ts'
import { standingUsage, type Template } from './standing.ts'

/** The idle usage of a stack in a month, by its template. */
export function standing(template: Template, { schedules }: Counted) {
  return standingUsage(template, Object.fromEntries(Object.entries(schedules).map(([name, calls]) => [name, usageOfRun(name, calls)])))
}

/** USD that a stack costs in a month while nobody uses it, without what it stores: by list prices, and where the account's allowances are its own. */
export function idleCost(template: Template, counted: Counted): { listed: number; beyondAllowances: number } {
  const usage = sumOf(...standing(template, counted).map((each) => each.usage))
  return { listed: costOf(usage), beyondAllowances: costOf(beyondAllowances(usage)) }
}

const usd = (amount: number) => `$${amount.toFixed(amount < 1 ? 3 : 2)}`

/** The page of what a stack costs by what was counted (infra/guides/cost-tables.md). */
export function costPage(template: Template, counted: Counted): string {
  const idle = standing(template, counted)
  const idleTotal = idleCost(template, counted)
  const idleRows = idle.map(({ what, usage }) => `| ${what} | ${usd(costOf(usage))} |`)
  const libraryRows = libraries.map((library) => {
    const { name, users, files, gb, uploads, deliveredGb } = library
    const cells = [name, users, files, gb, uploads, deliveredGb].map((cell) =>
      typeof cell === 'number' ? cell.toLocaleString('en') : cell,
    )
    return `| ${cells.join(' | ')} | ${usd(idleTotal.listed + costOf(usageOfLibrary(library, counted)))} |`
  })
  const operationRows = Object.entries(counted.operations).map(([name, operation]) => {
    const { request, behind, runs } = operation
    const both = (unit: keyof Calls) => request[unit] + behind[unit]
    const ran = Object.entries(runs).map(([run, count]) => (count === 1 ? run : `${count} ${run}`))
    const units = [both('readUnits'), both('writeUnits'), both('objectReads'), both('objectWrites')]
    return `| \`${name}\` | ${units.join(' | ')} | ${ran.join(', ')} | ${usd(1_000 * costOf(usageOfOperation(name, operation)))} |`
  })
  return `# What a stack costs, counted

This page is made from the code, and a test fails where it costs more ([how](../../test/README.md#what-a-stack-costs)). Prices are those of us-east-1
in USD, without the free allowances of an account (\`infra/aws/cost/prices.ts\`). Units are counted of the service itself, each call in a process that has
read nothing before. Times of functions are estimates (\`infra/aws/cost/operation.ts\`).

## While nobody uses it

| in a month | costs |
|---|---:|
${idleRows.join('\n')}
| together, by list prices | ${usd(idleTotal.listed)} |
| together, beyond what every account has free | ${usd(idleTotal.beyondAllowances)} |

Every account has ten metrics of alarms, three dashboards, 14 million runs of schedules, and a million runs of
functions with 400,000 GB-seconds free in each month: once, for everything in the account. CloudWatch's pricing page says so of alarms that name
their metrics (\`stopped-loops\` finds its by a query) and of dashboards; the others are from memory (\`infra/aws/cost/prices.ts\`).

## A month of a library

Users search 400 times, look at 200 documents, download 40 files, edit 20 and see 4,000 pictures in 0.3 GB. Videos, links and zips come on top. So do
snapshots of the search index, and processes that begin with a cold search; see [searches](cost.md#searches).

| library | users | files | GB | uploads | GB delivered | costs |
|---|---:|---:|---:|---:|---:|---:|
${libraryRows.join('\n')}

## A visitor, and an event

| 1,000 | cost |
|---|---:|
| visits of a share link: its page, the list of its files, and ${sharePage.pictures} pictures of ${sharePage.kbEach} KB from CloudFront, most of it for these | ${usd(1_000 * costOf(usageOfVisit(counted)))} |
| deliveries of a webhook: an event that one address is told, without the change that it tells of | ${usd(1_000 * costOf(usageOfOperation(TOLD_EVENT, counted.operations[TOLD_EVENT]!)))} |

## 1,000 of each call

With everything that follows from them: reads and writes of the table in units of DynamoDB, requests to buckets, and runs of functions behind the
answer. \`upload-photo\` is all of an upload of a photo: it is registered, posted, finalized and imported. \`tell-event\` is a delivery of a webhook. Links that change also cost [paths](operate-a-stack.md#links). A search takes ${usd(1_000 * 15 * prices.readUnits)} per 1,000 of
read units more than the table says.

| call | reads | writes | bucket reads | bucket writes | runs | 1,000 cost |
|---|---:|---:|---:|---:|---|---:|
${operationRows.join('\n')}
`
}
