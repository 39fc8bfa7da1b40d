import { CustomResource, Stack } from 'aws-cdk-lib'
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { type IndexName, indexes } from '../../../shared/backends/table/indexes.ts'
import { type FunctionDefaults, lambdaFunction } from './service-function.ts'

/**
 * A table that is there already: one that a stack before kept, or one that was restored to a point in time, which has neither stream nor expiry
 * nor backups. A custom resource gives it what it lacks. It never goes with the stack.
 */
export class AdoptedTable extends Construct {
  readonly table: ITable
  readonly streamArn: string

  constructor(scope: Construct, id: string, name: string, defaults: FunctionDefaults) {
    super(scope, id)
    const tableArn = Stack.of(this).formatArn({ service: 'dynamodb', resource: 'table', resourceName: name })
    const adopting = lambdaFunction(
      new Construct(this, 'adopt-table'),
      {
        key: 'adopt-table',
        description: 'Deployment: gives an adopted table what the service needs of one',
        timeoutSeconds: 900,
        statements: [
          new PolicyStatement({
            actions: ['Table', 'TimeToLive', 'ContinuousBackups'].flatMap((what) => [`dynamodb:Describe${what}`, `dynamodb:Update${what}`]),
            resources: [tableArn],
          }),
        ],
      },
      defaults,
    )
    const adopted = new CustomResource(this, 'Table', {
      resourceType: 'Custom::AdoptedTable',
      serviceToken: adopting.functionArn,
      // A release with another index runs it again.
      properties: { Name: name, Indexes: Object.keys(indexes) },
    })
    this.streamArn = adopted.getAttString('StreamArn')
    this.table = Table.fromTableAttributes(this, 'Adopted', {
      // Everything that names the table waits until it is prepared.
      tableName: adopted.getAttString('Name'),
      tableStreamArn: this.streamArn,
      globalIndexes: Object.keys(indexes) as IndexName[],
    })
  }
}
