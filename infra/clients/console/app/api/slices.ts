/** Values in the order that they have, as many at a time as one request takes. */
export function slicesOf<Value>(values: readonly Value[], most: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / most) }, (_, index) => values.slice(index * most, (index + 1) * most))
}
