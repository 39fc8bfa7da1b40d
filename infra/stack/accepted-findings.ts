import { Validations } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/**
 * Accepts what the rule packs (cdk-nag, test/infra/stack/rule-packs.test.ts) find on a construct and everything in it.
 * @param reasons by the rule's name: why it doesn't hold here
 */
export function acceptFindings(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })))
}
