import { ofCompany } from '../admin/calls.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { brand } from './brand.svelte.ts'

export type CompanyBrand = Schemas['Brand']

export const readBrand = (): Promise<CompanyBrand> => dataOf(api.GET('/company/{id}/brand', ofCompany()))

/** Shows the brand of the user's company, where it has one. */
export async function showCompanyBrand(): Promise<void> {
  const look = await readBrand()
  if ([look.name, look.accent, look.logo].some((value) => value !== null)) brand.show(look)
}

export const changeBrand = (change: Schemas['BrandInput']): Promise<CompanyBrand> =>
  dataOf(api.POST('/company/{id}/brand', { ...ofCompany(), body: change }))

export function uploadLogo(file: File): Promise<CompanyBrand> {
  const form = new FormData()
  form.set('file', file)
  // A body of a form is sent as it is.
  return dataOf(
    api.POST('/company/{id}/brand/logo', { ...ofCompany(), body: form as never, bodySerializer: (body: unknown) => body as FormData }),
  )
}
