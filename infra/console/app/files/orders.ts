/** Orders of lists, each with the direction that it has where an address names none. */
const usual = {
  relevance: 'desc',
  created: 'desc',
  camera_created: 'desc',
  filename: 'asc',
  size: 'desc',
  byline: 'asc',
  kind: 'asc',
  expiration_date: 'asc',
  folder: 'asc',
  distance: 'asc',
} as const

export type Order = keyof typeof usual

/** An order of an address with its direction, as `filename` or `filename desc`: the usual direction isn't named. Undefined for an unknown one. */
export function orderIn(parameters: URLSearchParams, byDefault: Order): string | undefined {
  const order = parameters.get('order')?.trim() || byDefault
  if (!Object.hasOwn(usual, order)) return undefined
  const direction = parameters.get('direction')?.trim()
  if (direction && direction !== 'asc' && direction !== 'desc') return undefined
  return direction && direction !== usual[order as Order] ? `${order} ${direction}` : order
}

/** Whether files can be shown in the order that an address names, where it names one. */
export function isKnownOrder(parameters: URLSearchParams): boolean {
  const order = orderIn(parameters, 'created')
  if (order === undefined || (parameters.get('direction')?.trim() && !parameters.get('order')?.trim())) return false
  return !order.startsWith('distance') || Boolean(parameters.get('latitude') && parameters.get('longitude'))
}
