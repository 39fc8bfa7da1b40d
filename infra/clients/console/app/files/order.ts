/** Orders of files that a search knows. */
export const orders = ['relevance', 'created', 'camera_created', 'filename', 'size', 'byline', 'kind', 'expiration_date', 'folder'] as const
export type Order = (typeof orders)[number]
export type Direction = 'asc' | 'desc'

const ascending: readonly Order[] = ['filename', 'byline', 'kind', 'expiration_date', 'folder']
const usual = (order: Order): Direction => (ascending.includes(order) ? 'asc' : 'desc')

const orderWithout = (parameters: URLSearchParams): Order => (parameters.get('q') ? 'relevance' : 'created')

/** The order that the parameters of a list ask for; one that nobody knows is none. */
export function orderIn(parameters: URLSearchParams): { order: Order; direction: Direction } {
  const asked = orders.find((order) => order === parameters.get('order'))
  const order = asked ?? orderWithout(parameters)
  const direction = parameters.get('direction')
  return { order, direction: asked && (direction === 'asc' || direction === 'desc') ? direction : usual(order) }
}

/** The parameters of the same list in another order. What needs no words isn't said. */
export function inOrder(parameters: URLSearchParams, order: Order, direction: Direction = usual(order)): URLSearchParams {
  const changed = new URLSearchParams(parameters)
  const isUsual = direction === usual(order)
  changed.delete('order')
  changed.delete('direction')
  if (!isUsual || order !== orderWithout(parameters)) changed.set('order', order)
  if (!isUsual) changed.set('direction', direction)
  return changed
}

/** Whether files can be shown in the order that parameters ask for, where they ask for one. */
export function isKnownOrder(parameters: URLSearchParams): boolean {
  const [order, direction] = [parameters.get('order')?.trim(), parameters.get('direction')?.trim()]
  if (direction && (!order || (direction !== 'asc' && direction !== 'desc'))) return false
  if (order === 'distance') return Boolean(parameters.get('latitude') && parameters.get('longitude'))
  return !order || orders.some((known) => known === order)
}
