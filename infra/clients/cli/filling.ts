import { entriesIn, type FieldsIn, type ValuesByName } from '../../../shared/vocabulary/editable-fields.ts'
import type { FieldKind, FieldValues } from '../../../shared/vocabulary/field-values.ts'
import type { Schemas } from '../client/client.ts'

/** Changes that give fields of each kind a value; undefined where it is empty. */
const changes: { [Kind in FieldKind]: (value: FieldValues[Kind]) => unknown } = {
  texts: (texts) => (Object.keys(texts).length > 0 ? texts : undefined),
  keywords(words) {
    const replaced = Object.entries(words).flatMap(([language, replace]) => (replace.length > 0 ? [[language, { replace }]] : []))
    return replaced.length > 0 ? Object.fromEntries(replaced) : undefined
  },
  line: (line) => line || undefined,
  day: (day) => day || undefined,
  flag: (flag) => flag,
  point: (point) => point ?? undefined,
}

/** The change that gives a file these values. What is empty stays as it is. */
export function filling(values: Partial<ValuesByName<FieldsIn<'manifest'>>>): Schemas['BulkChange'] {
  const changed = entriesIn('manifest').flatMap(({ name, is }) => {
    const change = values[name] == null ? undefined : changes[is](values[name] as never)
    return change === undefined ? [] : [[name, change]]
  })
  return Object.fromEntries(changed)
}
