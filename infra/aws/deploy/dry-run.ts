import { counted } from '../cost/counted.ts'
import { standing } from '../cost/page.ts'
import { costOf } from '../cost/prices.ts'
import type { Template } from '../cost/standing.ts'

/** The idle costs of a stack of these templates, its own and those of nested stacks, for a terminal. */
export function whatItCosts(templates: readonly { template: Template }[]): string {
  const Resources = Object.assign({}, ...templates.map(({ template }) => template.Resources))
  const items = standing({ Resources }, counted()).map(({ what, usage }) => ({ what, cost: costOf(usage) }))
  const together = items.reduce((sum, { cost }) => sum + cost, 0)
  const lines = [...items, { what: 'together, without what it stores and what is used', cost: together }]
  return [
    'A month of this stack by list prices in the USA, while nobody uses it:',
    ...lines.map(({ what, cost }) => `  ${`$${cost.toFixed(2)}`.padStart(7)}  ${what}`),
    'What its use costs is in infra/guides/cost-tables.md.',
  ].join('\n')
}
