import { api, dataOf, type Schemas } from '../api/client.ts'
import { session } from '../session.svelte.ts'

export type Person = Schemas['CompanyUser']
export interface Clique {
  id: number
  name: string
}

/** The company that is looked after: the user's own. */
export const company = (): number => session.user?.company_ids[0] ?? 0

const ofCompany = () => ({ params: { path: { id: company() } } })

export const listPeople = () => dataOf(api.GET('/company/{id}/users', ofCompany()))
export const listKeys = () => dataOf(api.GET('/company/{id}/apikeys', ofCompany()))
export const companyUsage = () => dataOf(api.GET('/company/{id}/diskusage', ofCompany()))
export const listFailedJobs = () => dataOf(api.GET('/company/{id}/failedjobs', ofCompany()))
export const retryJob = (id: string) => dataOf(api.POST('/company/{id}/failedjobs/retry', { ...ofCompany(), body: { job_ids: [id] } }))
export const usageOf = (id: number) => dataOf(api.GET('/user/{id}/diskusage', { params: { path: { id } } }))

export const listCliques = (): Promise<Clique[]> => dataOf(api.GET('/clique'))

/** The field that names the company has the brand of the service in its name, as its headers have. */
export async function createClique(name: string): Promise<Clique> {
  const { response } = await api.GET('/whoami')
  const [, brand = 'svc'] = [...response.headers.keys()].map((header) => /^x-([a-z0-9]+)-request-id$/.exec(header)).find(Boolean) ?? []
  const body = { name, [`${brand}_id`]: company() }
  return dataOf(api.POST('/clique', { body: body as never }))
}

export const renameClique = (id: number, name: string) => dataOf(api.POST('/clique/{id}', { params: { path: { id } }, body: { name } }))
export const deleteClique = (id: number) => dataOf(api.DELETE('/clique/{id}', { params: { path: { id } } }))

export const membersOf = async (id: number): Promise<number[]> =>
  (await dataOf(api.GET('/clique/{id}/member', { params: { path: { id } } }))).map(({ user_id }) => user_id)
export const addMember = (id: number, userId: number) =>
  dataOf(api.POST('/clique/{id}/member/{userId}', { params: { path: { id, userId } } }))
export const removeMember = (id: number, userId: number) =>
  dataOf(api.DELETE('/clique/{id}/member/{userId}', { params: { path: { id, userId } } }))
