import { endpoints } from '../../functions/endpoints.ts'
import { endpointFunctions } from '../../infra/bundling/endpoint-functions.ts'
import { grantsOf } from '../../infra/grants.ts'
import { allUses } from '../../shared/http/endpoint.ts'

/** Functions that keep search indexes among their temporary files. */
export const searchingFunctions = endpointFunctions(endpoints)
  .filter(({ endpoints: answered }) =>
    Object.values(answered).some((endpoint) => grantsOf(allUses(endpoint)).some(({ name }) => name === 'search')),
  )
  .map(({ name }) => name)

const FOLDER = '/tmp/search'

/**
 * Gives a function's code a folder of its own for search indexes. Lambda gives each function temporary files of its own. Here functions of all
 * deployments, also of earlier runs, share those of this machine, and each of these libraries has a company 0: the stock catalogue.
 */
export function withOwnSearchFolder(code: string, folder: string): string {
  if (!code.includes(FOLDER)) throw new Error(`the code names no ${FOLDER}`)
  return code.replaceAll(FOLDER, folder)
}
