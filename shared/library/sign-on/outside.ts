import { type OpenIdProvider, type OpenIdProviders, ProviderFailed, SignOnInvalid } from '../../backends/openid/port.ts'
import type { Secrets } from '../../backends/secrets/port.ts'
import type { Log } from '../../log/log.ts'
import { openIdProviderOf, type ProviderRecord } from '../accounts/providers.ts'
import { Forbidden, OutsideFailed, OutsideTimedOut } from '../errors.ts'

export interface Asking {
  openId: OpenIdProviders
  apiSecretsKey: Secrets<'apiSecretsKey'>
  log: Log
}

/**
 * Calls a provider. Logs the details of a failure for the operator; the person only learns that it failed.
 * @throws Forbidden, OutsideFailed, OutsideTimedOut
 */
export async function asked<T>(
  { openId, apiSecretsKey, log }: Asking,
  record: ProviderRecord,
  ask: (openId: OpenIdProviders, provider: OpenIdProvider) => Promise<T>,
): Promise<T> {
  try {
    return await ask(openId, await openIdProviderOf({ apiSecretsKey }, record))
  } catch (error) {
    const { providerId: provider, name } = record
    if (error instanceof SignOnInvalid) {
      log.info('A provider signed nobody on', { provider, reason: error.message })
      throw new Forbidden(error.message, 'sign_on_refused')
    }
    if (!(error instanceof ProviderFailed)) throw error
    log.warn('A provider failed', { provider, failure: error.message })
    if (error.timedOut) throw new OutsideTimedOut(`${name} did not answer in time. Try again later.`, 'provider_timed_out')
    throw new OutsideFailed(`${name} can't sign anybody on at the moment. Try again later.`, 'provider_failed')
  }
}
