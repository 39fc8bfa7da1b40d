import { afterAll } from 'vitest'
import { withToken } from '../../../../infra/clients/client/client.ts'
import { commandLine } from '../../../support/command-line.ts'
import { serviceWithAccounts } from '../../../support/service-with-accounts.ts'
import { unsteadyLine } from '../../../support/unsteady-line.ts'

export const tokenOf = ({ authorization }: { authorization: string }) => authorization.replace(/^.*Token=/, '')

/** Somebody who is signed in with command line and client, over a line on which a test lets requests fail. */
export async function signedIn() {
  const line = await unsteadyLine()
  afterAll(() => line.close())
  const { service, accounts, person } = await serviceWithAccounts(line.settings)
  const anna = await person()
  const token = tokenOf(anna)
  const library = withToken({ url: line.url }, token)
  const commands = await commandLine({ MEDIA_LIBRARY_URL: line.url, MEDIA_LIBRARY_TOKEN: token })
  const newFolder = async (name = 'Target') => (await library.post('/folder', { body: { name } })).id
  /** Names of all files below a folder, as a search finds them. */
  const namesIn = async (folder: number) => {
    const query = { folder_ids: [folder], recursive: true, return_values: ['filename' as const] }
    return (await Array.fromAsync(library.searchAll(query))).map(({ filename }) => filename!).sort()
  }
  return { line, service, accounts, person, anna, token, library, newFolder, namesIn, ...commands }
}
