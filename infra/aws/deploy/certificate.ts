import { type ACMClient, DescribeCertificateCommand, ListCertificatesCommand } from '@aws-sdk/client-acm'
import type { DeploymentSettings } from '../stack/settings.ts'

type Hosts = Pick<DeploymentSettings, 'certificateArn' | 'apiDomain' | 'deliveryDomain' | 'cdnDomain' | 'formerCdnDomains' | 'playerDomain'>

/**
 * Looks at the certificate of a stack under host names of its own. CloudFront would refuse it only after half of the stack is made.
 * @param client of us-east-1
 * @returns what is wrong, in a sentence; undefined where nothing is
 * @throws what ACM answers, but for a certificate that is not there
 */
export async function certificateProblem(client: Pick<ACMClient, 'send'>, settings: Hosts): Promise<string | undefined> {
  const { certificateArn, apiDomain, deliveryDomain, cdnDomain, playerDomain, formerCdnDomains } = settings
  if (certificateArn === undefined) return undefined
  const certificate = await describe(client, certificateArn)
  if (!certificate) return `There is no certificate ${certificateArn} in this account.`
  const { Status, DomainName, SubjectAlternativeNames = [] } = certificate
  if (Status === 'PENDING_VALIDATION')
    return `The certificate ${certificateArn} is not validated yet: make the DNS records that ACM shows for it, and wait until it is issued.`
  if (Status !== 'ISSUED') return `The certificate ${certificateArn} can't be used: it is ${Status}.`
  const names = [DomainName ?? '', ...SubjectAlternativeNames]
  const hosts = [apiDomain, deliveryDomain, cdnDomain, playerDomain, ...formerCdnDomains].filter((host) => host !== undefined)
  const lacking = hosts.filter((host) => !names.some((name) => covers(name, host)))
  return lacking.length === 0 ? undefined : `The certificate ${certificateArn} does not cover ${lacking.join(', ')}.`
}

async function describe(client: Pick<ACMClient, 'send'>, CertificateArn: string) {
  try {
    return (await client.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    // So it answers for one of another account, too. Who may list those of this account may look at them.
    if (error instanceof Error && error.name === 'AccessDeniedException' && (await mayList(client))) return undefined
    throw error
  }
}

const mayList = (client: Pick<ACMClient, 'send'>) =>
  client.send(new ListCertificatesCommand({ MaxItems: 1 })).then(
    () => true,
    () => false,
  )

/** A name of a certificate may have `*` for its first label. */
function covers(name: string, host: string): boolean {
  return name === host || (name.startsWith('*.') && name.slice(1) === host.slice(host.indexOf('.')))
}
