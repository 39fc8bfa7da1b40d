import { cliqueKey } from '../../shared/library/accounts/clique.ts'
import { toCliqueId } from '../../shared/vocabulary/ids.ts'
import { type Accounts, provisioning } from '../support/accounts.ts'
import type { Service } from '../support/service.ts'
import { putFolders, type WantedFolder } from './folders-in-table.ts'
import { keepAliveClient } from './keep-alive-client.ts'
import { peakBytes, residentBytes, untilIdle } from './processes.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** A folder that is shared with the clique, and those below it that inherit that. */
const BRANCH = 10

/** Somebody who asks. */
interface Caller {
  who: string
  authorization: string
}

/** What a company of so many folders may take: milliseconds of a warm and of the first request, bytes of the process. */
interface Targets {
  warm?: number
  first?: number
  bytes?: number
}

/**
 * `GET /folder` in companies of many folders: all of them with the caller's permissions, for an admin, and for a member of a clique with which
 * every tenth is shared. Cold: the first request of that kind that a server answers after its start. Warm: the ones that follow, while nobody
 * changes a folder.
 */
export async function run({ folders = 10_000, many = 100_000, rounds = 25, starts = 5 } = {}): Promise<Row[]> {
  return [
    ...(await measured({ folders, rounds, starts }, { warm: 12 })),
    ...(await measured({ folders: many, rounds, starts }, { warm: 120, first: 150, bytes: 350e6 })),
  ]
}

interface Sizes {
  folders: number
  rounds: number
  starts: number
}

async function measured({ folders, rounds, starts }: Sizes, targets: Targets): Promise<Row[]> {
  await using data = await temporaryData()
  const { directory } = data
  const callers = await prepare(directory, folders)
  const [admin] = callers
  const cold = { one: [] as number[], all: [] as number[] }
  for (let start = 0; start < starts; start++) {
    cold.one.push(await firstAnswer(directory, admin!, `/folder/${BRANCH + 1}`))
    cold.all.push(await firstAnswer(directory, admin!, '/folder'))
  }
  const rows = [
    { ...row(`one of ${folders} folders, the first request`, cold.one.sort(ascending)), atMost: targets.first },
    row(`all ${folders} folders, the first request, for ${admin!.who}`, cold.all.sort(ascending)),
  ]
  await using service = await startServiceProcess(directory)
  const idle = residentBytes(service.pid)
  for (const caller of callers) rows.push(...(await overHttp(service, caller, { folders, rounds, starts }, targets)))
  rows.push({ what: `memory when idle, ${folders} folders`, value: idle / 1e6, unit: 'MB' })
  rows.push({
    what: `peak of memory, ${folders} folders`,
    value: peakBytes(service.pid) / 1e6,
    unit: 'MB',
    ...(targets.bytes && { atMost: targets.bytes / 1e6 }),
  })
  return rows
}

/** Makes the folders, and who is to see them. */
async function prepare(directory: string, folders: number): Promise<Caller[]> {
  await using service = await startServiceProcess(directory)
  const accounts = await provisioning(service)
  try {
    await putFolders(accounts.table, service.demo.company_id, branches(folders))
    const member = await memberOfClique(service, accounts, folders)
    await untilIdle(service.pid)
    return [
      { who: 'an admin', authorization: await service.signIn() },
      { who: 'a member of a clique', authorization: member },
    ]
  } finally {
    accounts.close()
  }
}

/** @returns the value of the member's `Authorization` header */
async function memberOfClique(service: Service, { table, user }: Accounts, folders: number): Promise<string> {
  const client = await service.client()
  const { userId, authorization } = await user()
  const { body: clique } = await client['create-clique']({ body: { name: 'Clique', svc_id: service.demo.company_id } })
  await client['add-clique-member']({ params: { id: clique.id, userId } })
  const shared = branches(folders).filter(({ parent }) => parent === null)
  await table.update(cliqueKey(toCliqueId(clique.id)), {
    set: { shares: Object.fromEntries(shared.map(({ folderId }) => [folderId, ['READ', 'WRITE']])) },
  })
  return authorization
}

async function firstAnswer(directory: string, { authorization }: Caller, path: string): Promise<number> {
  await using service = await startServiceProcess(directory)
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization })
  // The connection, and what every request needs, are not what this is about.
  await client.get('/whoami')
  return percentile(await timed(1, () => client.read(path)), 0)
}

async function overHttp(service: Service, { who, authorization }: Caller, { folders, rounds }: Sizes, { warm }: Targets): Promise<Row[]> {
  using client = keepAliveClient({ baseUrl: service.baseUrl, authorization })
  const found = JSON.parse(await client.get('/folder')).length
  if (found < folders) throw new Error(`${who} sees ${found} folders only`)
  const { etag } = await client.read('/folder')
  const known = await timed(rounds, async () => {
    const { status } = await client.read('/folder', etag)
    if (status !== 304) throw new Error(`${status} for a client who has the list`)
  })
  const unchanged = await timed(rounds, () => client.read('/folder'))
  return [
    { ...row(`all ${folders}, warm, over HTTP, for ${who}`, unchanged), atMost: warm },
    { ...row(`all ${folders}, which the client has, over HTTP, for ${who}`, known), atMost: 2 },
  ]
}

function branches(count: number): WantedFolder[] {
  return Array.from({ length: count }, (_, n) => {
    const folderId = n + BRANCH
    const parent = folderId % BRANCH === 0 ? null : folderId - (folderId % BRANCH)
    return { folderId, name: `Folder ${(folderId * 7919) % count}`, parent }
  })
}

function row(what: string, times: readonly number[]): Row {
  return { what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms' }
}

const ascending = (a: number, b: number) => a - b
