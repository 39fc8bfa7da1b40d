import {
  ACMClient,
  AccessDeniedException,
  type CertificateDetail,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  RequestCertificateCommand,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-acm'
import * as z from 'zod'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import { type CustomResourceRequest, customResource } from './custom-resource.ts'

/** The tag of certificates that stacks have made, whose value is the stack. */
export const CERTIFICATE_TAG = 'media-library-stack'

/** A certificate to request. The shortest name comes first: it may have 64 characters. */
const Wanted = z.object({ Names: z.array(z.string()).min(1), Stack: z.string() })
/** A certificate that was requested, to be waited for. */
const Requested = z.object({ CertificateArn: z.string() })

interface Certificates {
  client: Pick<ACMClient, 'send'>
  sleep(ms: number): Promise<unknown>
}

/** Pauses between two looks, in milliseconds, and how many looks: the function has 15 minutes. */
const LOOK = { ms: 10_000, records: 12, issued: 84, unused: 18 }

/**
 * The attributes of a requested certificate: `Arn`, and of each name, by its place in `Names`, the record by which it is validated: `Name0`, `Value0`.
 * @param token names this request: repeated within an hour it gives the same certificate
 */
async function request({ client, sleep }: Certificates, wanted: unknown, token: string): Promise<Record<string, string>> {
  const { Names, Stack } = Wanted.parse(wanted)
  const { CertificateArn } = await client.send(
    new RequestCertificateCommand({
      DomainName: Names[0],
      SubjectAlternativeNames: Names,
      ValidationMethod: 'DNS',
      IdempotencyToken: token.replaceAll(/\W/g, '').slice(0, 32),
      Tags: [{ Key: CERTIFICATE_TAG, Value: Stack }],
    }),
  )
  return recordsOf({ client, sleep }, CertificateArn!, Names)
}

/** ACM knows the records some seconds after the request, and IAM the tag by which this function may look at the certificate. */
async function recordsOf({ client, sleep }: Certificates, arn: string, names: readonly string[]): Promise<Record<string, string>> {
  for (let look = 0; look < LOOK.records; look++) {
    const { DomainValidationOptions: options = [] } = await describe(client, arn).catch(unlessDenied)
    const records = names.map((name) => options.find(({ DomainName }) => DomainName === name)?.ResourceRecord)
    if (records.every((record) => record !== undefined))
      return Object.assign({ Arn: arn }, ...records.map((record, at) => ({ [`Name${at}`]: record.Name, [`Value${at}`]: record.Value })))
    await sleep(LOOK.ms)
  }
  throw new Error(`ACM did not say which records validate the certificate ${arn}. Run the deployment again.`)
}

function unlessDenied(error: unknown): CertificateDetail {
  if (error instanceof AccessDeniedException) return {}
  throw error
}

/** Waits until a certificate is issued. Its records are there. @throws Error in a sentence */
async function issued({ client, sleep }: Certificates, requested: unknown): Promise<Record<string, string>> {
  const { CertificateArn } = Requested.parse(requested)
  for (let look = 0; look < LOOK.issued; look++) {
    const { Status, FailureReason = 'no reason' } = await describe(client, CertificateArn)
    if (Status === 'ISSUED') return { Arn: CertificateArn }
    if (Status !== 'PENDING_VALIDATION') throw new Error(`ACM did not issue the certificate: ${Status}, ${FailureReason}.`)
    await sleep(LOOK.ms)
  }
  throw new Error(
    'ACM could not validate the certificate within 14 minutes. Have the registrar of the domain name the name servers of the hosted zone, and deploy again.',
  )
}

/** Deletes a certificate. One that is still in use after three minutes stays: it costs nothing. */
async function remove({ client, sleep }: Certificates, CertificateArn: string): Promise<void> {
  for (let look = 0; look < LOOK.unused; look++) {
    try {
      await client.send(new DeleteCertificateCommand({ CertificateArn }))
      return
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return
      if (!(error instanceof ResourceInUseException)) throw error
      await sleep(LOOK.ms)
    }
  }
}

async function describe(client: Certificates['client'], CertificateArn: string): Promise<CertificateDetail> {
  return (await client.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate ?? {}
}

/** What the two custom resources do: `Custom::Certificate` requests one, `Custom::IssuedCertificate` waits for it. */
export async function certificate(
  acm: Certificates,
  { type, properties, requestId, physicalId }: Omit<CustomResourceRequest, 'resourceType'>,
) {
  const isWait = 'CertificateArn' in properties
  if (type !== 'Delete') {
    if (isWait) return issued(acm, properties)
    // Other names are another resource: what an update changes is nothing of the certificate.
    return physicalId?.startsWith('arn:') ? recordsOf(acm, physicalId, Wanted.parse(properties).Names) : request(acm, properties, requestId)
  }
  // A request that failed has no id.
  if (!isWait && physicalId?.startsWith('arn:')) await remove(acm, physicalId)
  return {}
}

/** Handler of both. CloudFront takes certificates of us-east-1 alone. */
export const makeCertificate = customResource(
  (request) => certificate({ client: new ACMClient({ region: 'us-east-1' }), sleep: (ms) => systemClock.sleep(ms) }, request),
  { idOf: ({ Arn }) => Arn },
)
