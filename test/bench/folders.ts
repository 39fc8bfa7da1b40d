import { provisioning } from '../support/accounts.ts'
import { putFolders, type WantedFolder } from './folders-in-table.ts'
import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts'
import type { Row } from './report.ts'
import { startServiceProcess, temporaryData } from './service-process.ts'
import { percentile, timed } from './timing.ts'

/** A folder with rights of its own, and those below it that inherit them. */
const BRANCH = 10

/**
 * `GET /folder` over HTTP in a company of many folders: all of them with the caller's permissions, for an admin and for a user who was
 * given READ and WRITE on every tenth, and some of them.
 */
export async function run({ folders = 10_000, rounds = 15 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  await using service = await startServiceProcess(data.directory)
  const accounts = await provisioning(service)
  const user = await accounts.user()
  await putFolders(accounts.table, service.demo.company_id, branches(folders, user.userId)).finally(() => accounts.close())
  const rows: Row[] = []
  for (const [who, authorization] of [
    ['an admin', await service.signIn()],
    ['a user', user.authorization],
  ] as const) {
    using client = keepAliveClient({ baseUrl: service.baseUrl, authorization })
    const found = await list(client, '/folder')
    if (found < folders) throw new Error(`${who} sees ${found} folders only`)
    rows.push({ what: `all of ${found} folders, for ${who}, p50`, value: await p50(rounds, client, '/folder'), unit: 'ms' })
    const some = `/folder?parent=${BRANCH}`
    rows.push({
      what: `the ${await list(client, some)} folders in one, for ${who}, p50`,
      value: await p50(rounds, client, some),
      unit: 'ms',
    })
  }
  return rows
}

function branches(count: number, userId: number): WantedFolder[] {
  return Array.from({ length: count }, (_, n) => {
    const folderId = n + BRANCH
    const isTop = folderId % BRANCH === 0
    const name = `Folder ${(folderId * 7919) % count}`
    return isTop
      ? { folderId, name, parent: null, grants: { [userId]: ['READ', 'WRITE'] } }
      : { folderId, name, parent: folderId - (folderId % BRANCH) }
  })
}

async function p50(rounds: number, client: KeepAliveClient, path: string): Promise<number> {
  return percentile(await timed(rounds, () => client.get(path)), 0.5)
}

/** @returns how many came */
async function list(client: KeepAliveClient, path: string): Promise<number> {
  return JSON.parse(await client.get(path)).length
}
