/** A value for each object: made when it is first asked for, kept as long as the object is. For objects that don't change what is made of them. */
export function perObject<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>()
  return (of) => {
    const kept = made.get(of) ?? make(of)
    made.set(of, kept)
    return kept
  }
}
