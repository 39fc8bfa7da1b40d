import { api, dataOf, type Schemas } from '../api/client.ts'
import { session } from '../session.svelte.ts'

/** A person as admins see them. */
export type Person = Schemas['Person']
export interface Clique {
  id: number
  name: string
}

/** The company that is looked after: the user's own. */
export const company = (): number => session.user?.company_ids[0] ?? 0

export const ofCompany = () => ({ params: { path: { id: company() } } })

export const listPeople = () => dataOf(api.GET('/company/{id}/users', ofCompany()))
/** All of each, and disabled ones, too: for admins. */
export const listPeopleInDetail = async (): Promise<Person[]> =>
  (await dataOf(api.GET('/company/{id}/users', { params: { path: { id: company() }, query: { details: true } } }))) as Person[]
/** @returns the person; with `password_url` where no mail was sent, which the service tells no second time */
export const addPerson = (body: Schemas['NewPerson']) => dataOf(api.POST('/company/{id}/users', { ...ofCompany(), body }))
export const changePerson = (id: number, change: Schemas['PersonChangeInput']) =>
  dataOf(api.POST('/user/{id}', { params: { path: { id } }, body: { ...change, company_id: company() } }))
/** @returns where they choose a password, where no mail was sent */
export const invitePerson = async (id: number): Promise<string | undefined> =>
  (await dataOf(api.POST('/user/{id}/invite', { params: { path: { id } } }))).password_url
export const removePerson = (id: number) =>
  dataOf(api.DELETE('/company/{id}/users/{user_id}', { params: { path: { id: company(), user_id: id } } }))
export const listKeys = () => dataOf(api.GET('/company/{id}/apikeys', ofCompany()))
export const companyUsage = () => dataOf(api.GET('/company/{id}/diskusage', ofCompany()))
export const listFailedJobs = () => dataOf(api.GET('/company/{id}/failedjobs', ofCompany()))
export const retryJob = (id: string) => dataOf(api.POST('/company/{id}/failedjobs/retry', { ...ofCompany(), body: { job_ids: [id] } }))
export const usageOf = (id: number) => dataOf(api.GET('/user/{id}/diskusage', { params: { path: { id } } }))

export const listCliques = (): Promise<Clique[]> => dataOf(api.GET('/clique'))

/** Names of the groups that each person is in. */
export async function groupsOfPeople(): Promise<ReadonlyMap<number, readonly string[]>> {
  const groups = await Promise.all((await listCliques()).map(async ({ id, name }) => ({ name, members: await membersOf(id) })))
  const names = new Map<number, string[]>()
  for (const { name, members } of groups) for (const id of members) names.set(id, [...(names.get(id) ?? []), name])
  return names
}

/** The field that names the company has the brand of the service in its name, as its headers have. */
export async function createClique(name: string): Promise<Clique> {
  const { response } = await api.GET('/whoami')
  const [, brand = 'svc'] = [...response.headers.keys()].map((header) => /^x-([a-z0-9]+)-request-id$/.exec(header)).find(Boolean) ?? []
  const body = { name, [`${brand}_id`]: company() }
  return dataOf(api.POST('/clique', { body: body as never }))
}

export const deleteClique = (id: number) => dataOf(api.DELETE('/clique/{id}', { params: { path: { id } } }))

export const membersOf = async (id: number): Promise<number[]> =>
  (await dataOf(api.GET('/clique/{id}/member', { params: { path: { id } } }))).map(({ user_id }) => user_id)
export const addMember = (id: number, userId: number) =>
  dataOf(api.POST('/clique/{id}/member/{userId}', { params: { path: { id, userId } } }))
export const removeMember = (id: number, userId: number) =>
  dataOf(api.DELETE('/clique/{id}/member/{userId}', { params: { path: { id, userId } } }))
