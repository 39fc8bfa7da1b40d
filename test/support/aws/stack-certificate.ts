import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { EngineUnavailable } from './engine.ts'

/**
 * Makes a self-signed certificate for all hosts that a deployed stack is reached at, good for a day, and has this process trust it.
 * @param folder where its files go
 * @returns paths of PEM files
 * @throws EngineUnavailable without openssl
 */
export async function makeCertificate(folder: string) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const names = ['DNS:localhost', 'IP:127.0.0.1', 'DNS:123456789012.localhost', 'DNS:*.cloudfront.net']
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=rehearsal', '-addext', `subjectAltName=${names.join(',')}`]
  try {
    await promisify(execFile)('openssl', [...request, ...subject, '-keyout', key, '-out', certificate])
  } catch (cause) {
    throw new EngineUnavailable('openssl can make no certificate', { cause })
  }
  setDefaultCACertificates([...getCACertificates('default'), await readFile(certificate, 'utf8')])
  return { certificate, key }
}
