import { Names, Stack } from 'aws-cdk-lib'
import { Construct } from 'constructs'

/** Length that fits every kind of name that is global to an account; those of CloudFront's functions and access controls are the shortest. */
const LONGEST = 64

/** Longest name of a region, with room for new ones. */
const LONGEST_REGION = 20

/**
 * A name for what is global to the account, as everything of CloudFront is: the region is part of it, so that stacks of one name in
 * several regions share none.
 * @param id of what is named, within its scope
 */
export function accountWideName(scope: Construct, id: string): string {
  const longest = LONGEST - LONGEST_REGION - 1
  const own = Names.uniqueResourceName(new Construct(scope, `${id}Name`), { maxLength: longest, separator: '-' })
  return `${own}-${Stack.of(scope).region}`
}
