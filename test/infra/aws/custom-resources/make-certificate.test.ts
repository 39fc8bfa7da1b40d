import assert from 'node:assert/strict'
import {
  type ACMClient,
  AccessDeniedException,
  type CertificateDetail,
  DeleteCertificateCommand,
  RequestCertificateCommand,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm'
import { describe, test } from 'vitest'
import type { CustomResourceRequest } from '../../../../infra/aws/custom-resources/custom-resource.ts'
import { certificate } from '../../../../infra/aws/custom-resources/make-certificate.ts'

const ARN = 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-0000-0000-000000000000'
const names = ['api.example.com', 'files.example.com']
const wanted = { Names: names, Stack: 'library-eu-west-1' }

/** ACM with one certificate, which looks like this, one look after the other; the last one stays. */
function acm(looks: readonly (CertificateDetail | Error)[], deletion: (attempt: number) => void = () => {}) {
  const requests: unknown[] = []
  const slept: number[] = []
  let deletions = 0
  const client = {
    async send(command: { input: object }) {
      if (command instanceof RequestCertificateCommand) {
        requests.push(command.input)
        return { CertificateArn: ARN }
      }
      if (command instanceof DeleteCertificateCommand) return deletion(++deletions)
      const Certificate = looks[Math.min(slept.length, looks.length - 1)]
      if (Certificate instanceof Error) throw Certificate
      return { Certificate }
    },
  } as unknown as ACMClient
  const run = (request: Partial<CustomResourceRequest>) =>
    certificate(
      { client, sleep: async (ms) => slept.push(ms) },
      { type: 'Create', properties: wanted, requestId: '0f8fad5b-d9cb-469f-a165-70867728950e', physicalId: undefined, ...request },
    )
  return { requests, slept, run, deletions: () => deletions }
}

const options = names.map((DomainName) => ({
  DomainName,
  ResourceRecord: { Name: `_x.${DomainName}.`, Type: 'CNAME' as const, Value: '_y.aws.' },
}))
const records = { Arn: ARN, Name0: '_x.api.example.com.', Value0: '_y.aws.', Name1: '_x.files.example.com.', Value1: '_y.aws.' }

describe('the certificate of host names', () => {
  test('is requested once however often its request comes, and its records are told as soon as they are known', async () => {
    // In ACM's own order.
    const { requests, slept, run } = acm([
      // A tag counts for IAM a moment later.
      new AccessDeniedException({ message: 'denied', $metadata: {} }),
      {},
      { DomainValidationOptions: [options[1]!, { DomainName: names[0] }] },
      { DomainValidationOptions: options.toReversed() },
    ])
    assert.deepEqual(await run({}), records)
    assert.equal(slept.length, 3)
    await run({})
    assert.deepEqual(requests[1], requests[0])
    assert.deepEqual(requests[0], {
      ...{ DomainName: 'api.example.com', SubjectAlternativeNames: names, ValidationMethod: 'DNS' },
      ...{ IdempotencyToken: '0f8fad5bd9cb469fa16570867728950e', Tags: [{ Key: 'media-library-stack', Value: 'library-eu-west-1' }] },
    })
  })

  test('stays when something else of its resource changes', async () => {
    const { requests, run } = acm([{ DomainValidationOptions: options }])
    assert.deepEqual(await run({ type: 'Update', physicalId: ARN }), records)
    assert.deepEqual(requests, [])
  })

  test('is waited for until it is issued', async () => {
    const waiting = acm([{ Status: 'PENDING_VALIDATION' }, { Status: 'PENDING_VALIDATION' }, { Status: 'ISSUED' }])
    assert.deepEqual(await waiting.run({ properties: { CertificateArn: ARN } }), { Arn: ARN })
    assert.equal(waiting.slept.length, 2)
    const refused = acm([{ Status: 'FAILED', FailureReason: 'CAA_ERROR' }])
    await assert.rejects(refused.run({ properties: { CertificateArn: ARN } }), /did not issue the certificate: FAILED, CAA_ERROR\./)
    const never = acm([{ Status: 'PENDING_VALIDATION' }])
    await assert.rejects(never.run({ properties: { CertificateArn: ARN } }), /within 14 minutes\. Have the registrar/)
    assert.ok(never.slept.reduce((sum, ms) => sum + ms) < 900_000, 'Lambda cuts a run off after 15 minutes')
  })

  test('is removed once nothing uses it, and stays where that never ends; the resource that waited removes nothing', async () => {
    const inUse = (attempts: number) => (attempt: number) => {
      if (attempt <= attempts) throw new ResourceInUseException({ message: 'in use', $metadata: {} })
    }
    const soon = acm([], inUse(2))
    assert.deepEqual(await soon.run({ type: 'Delete', physicalId: ARN }), {})
    assert.equal(soon.deletions(), 3)
    assert.deepEqual(await acm([], inUse(Infinity)).run({ type: 'Delete', physicalId: ARN }), {})
    const gone = acm([], () => {
      throw new ResourceNotFoundException({ message: 'gone', $metadata: {} })
    })
    assert.deepEqual(await gone.run({ type: 'Delete', physicalId: ARN }), {})
    const spared = acm([])
    await spared.run({ type: 'Delete', physicalId: ARN, properties: { CertificateArn: ARN } })
    await spared.run({ type: 'Delete', physicalId: 'CertificateRequested' })
    assert.equal(spared.deletions(), 0)
  })
})
