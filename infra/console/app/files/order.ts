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
