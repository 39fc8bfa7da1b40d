import { CustomResource, Duration } from 'aws-cdk-lib'
import { Construct, type IDependable } from 'constructs'
import { INDEX_FORMAT } from '../../../shared/backends/search/index-file.ts'
import { RENEW_SNAPSHOTS, renewingUses } from '../bundling/entries.ts'
import { type ServiceDefaults, serviceFunction } from './service-function.ts'

/**
 * Has snapshots made in the format of this version's search indexes, and waits for them. It comes after the functions that make snapshots and
 * before those that search: the former ones use the former snapshots until theirs are there.
 */
export class RenewedSnapshots extends Construct {
  /** @param makers functions that make snapshots, and those that start them */
  constructor(scope: Construct, id: string, makers: readonly IDependable[], defaults: ServiceDefaults) {
    super(scope, id)
    const description = 'Deployment: has snapshots of search indexes made in a new format'
    const asking = serviceFunction(
      new Construct(this, RENEW_SNAPSHOTS),
      { key: RENEW_SNAPSHOTS, description, timeoutSeconds: 900, uses: renewingUses },
      defaults,
    )
    const renewed = new CustomResource(this, 'Renewed', {
      resourceType: 'Custom::Snapshots',
      serviceToken: asking.functionArn,
      // Three runs of the function, with Lambda's pauses of one and two minutes.
      serviceTimeout: Duration.minutes(50),
      properties: { Format: INDEX_FORMAT },
    })
    renewed.node.addDependency(...makers)
  }
}
