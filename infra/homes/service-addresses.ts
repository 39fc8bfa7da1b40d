import * as z from 'zod'

/** Address of a service of the operator's; it may have a path. @returns without trailing slash */
export const serviceAddress = (example: string) =>
  z
    .string()
    .refine(isAddress, `an address like ${example}, without user name, password or query`)
    .transform((text) => text.replace(/\/+$/, ''))

/** Address of a provider of stock. */
export const providerAddress = serviceAddress('https://stock.example.com/api')

/** Hosts, separated by commas. @returns as URLs have them */
export const providerHosts = z
  .string()
  .transform((text) => text.split(',').map((host) => host.trim()))
  .refine((hosts) => hosts.every(isHost), 'host names, separated by commas, like cdn.example.com,files.example.com:8443')
  .transform((hosts) => hosts.map((host) => new URL(`https://${host}`).host))

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(text)
}

function isHost(text: string): boolean {
  return /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i.test(text) && URL.canParse(`https://${text}`)
}
