/**
 * List prices in USD of us-east-1 for each unit that the service uses, without any free allowance, as of 2025. Other regions charge up to half as
 * much again. Sources: the pricing pages of each service below https://aws.amazon.com/<service>/pricing/.
 */
export const prices = {
  /** Lambda, arm64. */
  invocations: 0.2 / 1e6,
  gbSeconds: 0.0000133334,
  /** API Gateway, a request of a REST API. */
  gatewayRequests: 3.5 / 1e6,
  /** CloudFront, a request by HTTPS, and a GB to clients. */
  edgeRequests: 1 / 1e6,
  edgeGb: 0.085,
  /** CloudFront, a path of an invalidation above 1,000 a month. */
  invalidatedPaths: 0.005,
  /** DynamoDB, on demand: units, and a GB for a month, alone and with point-in-time recovery. */
  readUnits: 0.125 / 1e6,
  writeUnits: 0.625 / 1e6,
  tableGb: 0.25,
  recoveryGb: 0.2,
  /** S3 Standard: a GB for a month, and requests. */
  objectGb: 0.023,
  objectWrites: 5 / 1e6,
  objectReads: 0.4 / 1e6,
  schedulerRuns: 1 / 1e6,
  mails: 0.1 / 1e3,
  /** CloudWatch, for a month: a metric of an alarm, one that the alarm finds by a query, and a dashboard; and a GB of log lines. */
  alarmMetrics: 0.1,
  queriedMetrics: 0.1,
  dashboards: 3,
  logGb: 0.5,
} as const

/**
 * The free allowances of every account in each month, without an end. An account has them once, for everything in it. Sources: the pricing page
 * of CloudWatch, which leaves alarms out that find their metrics by a query; the others from memory, as of 2025.
 */
export const allowances: Usage = {
  alarmMetrics: 10,
  dashboards: 3,
  schedulerRuns: 14e6,
  invocations: 1e6,
  gbSeconds: 400_000,
}

/** How much of each unit is used. */
export type Usage = { readonly [Unit in keyof typeof prices]?: number }

/** @returns USD */
export function costOf(usage: Usage): number {
  return unitsOf(usage).reduce((sum, [unit, amount]) => sum + prices[unit] * amount, 0)
}

/** Several uses together. */
export function sumOf(...usages: readonly Usage[]): Usage {
  const sum: { -readonly [Unit in keyof Usage]: number } = {}
  for (const [unit, amount] of usages.flatMap(unitsOf)) sum[unit] = (sum[unit] ?? 0) + amount
  return sum
}

/** The billed part of a usage, beyond the free allowances of an account. */
export function beyondAllowances(usage: Usage): Usage {
  return Object.fromEntries(unitsOf(usage).map(([unit, amount]) => [unit, Math.max(0, amount - (allowances[unit] ?? 0))]))
}

/** A use that comes so many times. */
export function times(count: number, usage: Usage): Usage {
  return Object.fromEntries(unitsOf(usage).map(([unit, amount]) => [unit, amount * count]))
}

const unitsOf = (usage: Usage) => Object.entries(usage) as [keyof typeof prices, number][]
