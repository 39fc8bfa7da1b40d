import { describe, expect, test } from 'vitest'
import { remoteServicesDocument } from '../../../../../infra/clients/reference/remote-services/document.ts'

describe('the OpenAPI document of services outside', () => {
  test('is the file that operators read; `npm test -- -u` with this file brings that up to date', async () => {
    const text = `${JSON.stringify(remoteServicesDocument(), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../../../../shared/backends/remote/openapi.json')
  })
})
