import type { Uses } from '../../shared/resources.ts'
import { type Adapter, allow, clockImport, env, type Grant, type GrantsOf } from './grant.ts'

const CATALOGUE_PATH = 'shared/library/stock/catalogue'
const providerEnvironment = `{ url: ${env('STOCK_PROVIDER_URL')}, hosts: ${env('STOCK_PROVIDER_HOSTS')}, keyArn: ${env('STOCK_PROVIDER_KEY_ARN')} }`
const provider: Adapter = {
  imports: { 'shared/backends/stock/provider-of-function.ts': ['providerOfFunction'] },
  make: `providerOfFunction(${providerEnvironment})`,
}
const providerWithThumbnails: Adapter = {
  imports: {
    'shared/backends/stock/provider-of-function.ts': ['providerWithThumbnails'],
    'shared/library/media/delivery.ts': ['pictureUrl'],
    ...clockImport,
  },
  make: `providerWithThumbnails(${providerEnvironment}, () => pictureUrl({ urls, clock: systemClock }))`,
}

/** The stock library: the operator's provider where they name one, else the catalogue. @param provider what makes it: undefined where there is none */
function stockGrant(provider: Adapter, catalogue: Adapter, needs: Uses): Grant {
  return {
    statements: ({ stockProvider }) => (stockProvider?.keyArn ? [allow(['secretsmanager:GetSecretValue'], stockProvider.keyArn)] : []),
    environment: ({ stockProvider }) => ({
      ...(stockProvider && { STOCK_PROVIDER_URL: stockProvider.url }),
      ...(stockProvider?.hosts && { STOCK_PROVIDER_HOSTS: stockProvider.hosts }),
      ...(stockProvider?.keyArn && { STOCK_PROVIDER_KEY_ARN: stockProvider.keyArn }),
    }),
    adapter: { imports: { ...provider.imports, ...catalogue.imports }, make: `${provider.make} ?? ${catalogue.make}` },
    needs,
  }
}

/** Every way to use the stock library. */
export const stockGrants: GrantsOf<'stock'> = {
  read: stockGrant(
    provider,
    { imports: { [`${CATALOGUE_PATH}-item.ts`]: ['catalogueItems'] }, make: 'catalogueItems({ table })' },
    { table: 'read' },
  ),
  search: stockGrant(
    providerWithThumbnails,
    {
      imports: {
        [`${CATALOGUE_PATH}-search.ts`]: ['catalogueSearch'],
        [`${CATALOGUE_PATH}-item.ts`]: ['catalogueThumbnails'],
        ...clockImport,
      },
      make: '{ ...catalogueSearch({ table, search }), ...catalogueThumbnails({ urls, clock: systemClock }) }',
    },
    { table: 'read', search: 'read', urls: 'sign' },
  ),
  preview: stockGrant(
    providerWithThumbnails,
    {
      imports: {
        [`${CATALOGUE_PATH}-item.ts`]: ['catalogueItems', 'catalogueThumbnails'],
        ...clockImport,
      },
      make: '{ ...catalogueItems({ table }), ...catalogueThumbnails({ urls, clock: systemClock }) }',
    },
    { table: 'read', urls: 'sign' },
  ),
  download: stockGrant(
    provider,
    {
      imports: { [`${CATALOGUE_PATH}-download.ts`]: ['catalogueDownloads'], ...clockImport },
      make: 'catalogueDownloads({ table, media, exiftool, urls, clock: systemClock })',
    },
    { table: 'write', media: 'write', exiftool: 'use', urls: 'sign' },
  ),
  sizes: stockGrant(
    provider,
    {
      imports: { [`${CATALOGUE_PATH}-download.ts`]: ['catalogueSizes'], ...clockImport },
      make: 'catalogueSizes({ table, media, exiftool, urls, clock: systemClock })',
    },
    { table: 'write', media: 'write', exiftool: 'use', urls: 'sign' },
  ),
}
