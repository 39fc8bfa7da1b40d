import type { CompanyId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { WebhookRecord } from './webhook.ts'

export type DeliveryInput = { webhookId: string }

/** Delivers a target's events. One job per target, so that none waits for another. */
export const deliveryJob = new JobKind<DeliveryInput>('deliver-events')
/** The same for targets that are slow or haven't answered yet, so that they take no runs from the others. */
export const slowDeliveryJob = new JobKind<DeliveryInput>('deliver-slowly')

type Target = Pick<WebhookRecord, 'webhookId' | 'isSlow'> & { companyId: CompanyId }

export const jobFor = ({ isSlow }: Pick<WebhookRecord, 'isSlow'>): JobKind<DeliveryInput> => (isSlow ? slowDeliveryJob : deliveryJob)

/** The write that asks for the deliveries of a target. */
export function askForDelivery(library: Pick<Writing, 'clock' | 'by'>, { companyId, webhookId, isSlow }: Target) {
  return jobFor({ isSlow }).ask(library, { companyId, subject: webhookId, input: { webhookId } })
}
