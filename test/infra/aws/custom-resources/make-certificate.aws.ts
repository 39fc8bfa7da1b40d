import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ACMClient, DescribeCertificateCommand, ResourceNotFoundException } from '@aws-sdk/client-acm'
import { onTestFinished, test } from 'vitest'
import { certificate } from '../../../../infra/aws/custom-resources/make-certificate.ts'

test('a certificate is requested for all names, waited for, and removed', async () => {
  const client = new ACMClient({ region: 'us-east-1' })
  onTestFinished(() => client.destroy())
  const acm = { client, sleep: async () => {} }
  const request = { type: 'Create', requestId: randomUUID(), physicalId: undefined } as const
  const properties = { Names: ['api.example.com', 'files.example.com'], Stack: 'library-eu-west-1' }
  const { Arn, Name0, Value1 } = await certificate(acm, { ...request, properties })
  assert.match(Arn!, /^arn:aws:acm:us-east-1:/)
  assert.match(Name0!, /\.api\.example\.com\.?$/)
  assert.match(Value1!, /\w/)
  assert.deepEqual(await certificate(acm, { ...request, properties: { CertificateArn: Arn } }), { Arn })
  await certificate(acm, { ...request, type: 'Delete', properties, physicalId: Arn })
  await assert.rejects(client.send(new DescribeCertificateCommand({ CertificateArn: Arn })), ResourceNotFoundException)
})
