import { afterAll } from 'vitest'
import { type Accounts, provisioning } from './accounts.ts'
import { startService } from './service.ts'

/** A service with accounts in it, for all tests of the file that calls this. @param environment settings as for `npm start` */
export async function serviceWithAccounts(environment?: Record<string, string>) {
  const service = await startService(environment)
  const accounts = await provisioning(service)
  afterAll(async () => {
    accounts.close()
    await service.stop()
  })
  return {
    service,
    accounts,
    /** A new user with their client. */
    async person(options?: Parameters<Accounts['user']>[0]) {
      const user = await accounts.user(options)
      return { ...user, client: await service.client(user.authorization) }
    },
  }
}

export type Person = Awaited<ReturnType<Awaited<ReturnType<typeof serviceWithAccounts>>['person']>>
