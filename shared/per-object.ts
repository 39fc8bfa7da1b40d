/**
 * Memoises a function of an object: the value is made on first use and kept as long as the object lives. The object must not change in ways
 * that affect the value.
 */
export function perObject<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>()
  return (of) => {
    const kept = made.get(of) ?? make(of)
    made.set(of, kept)
    return kept
  }
}
