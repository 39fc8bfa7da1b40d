import { type EditableValues, type FieldEntry, fieldValue, madeOfFields } from '../../vocabulary/editable-fields.ts'
import type { FieldValues } from '../../vocabulary/field-values.ts'
import { pointIn, pointText } from '../../vocabulary/point.ts'
import { keywordsIn } from './json.ts'

/** The language of texts without one. */
const LANGUAGE = 'en'

/** How a table of metadata has a field. What languages but English say isn't there, nor are keywords that hold the separator. */
interface Column<Value> {
  /** @returns undefined where the text is no value of the field */
  read(text: string): Value | undefined
  write(values: EditableValues): string
}

function column<Value>(write: (value: Value) => string, read: (text: string) => Value | undefined) {
  return ({ field }: FieldEntry): Column<Value> => ({ read, write: (values) => write(fieldValue(values, field) as Value) })
}

const line = column<FieldValues['line']>(
  (value) => value ?? '',
  (text) => text,
)

/** The columns of editable fields, in the order in which tables have them. */
export const fieldColumns = madeOfFields('manifest', {
  texts: column<FieldValues['texts']>(
    (texts) => texts[LANGUAGE] ?? '',
    (text) => ({ [LANGUAGE]: text }),
  ),
  ...{ line, day: line },
  keywords: column<FieldValues['keywords']>(
    ({ [LANGUAGE]: words = [] }) => (words.some((word) => word.includes(';')) ? '' : words.join(';')),
    (text) => ({ [LANGUAGE]: keywordsIn(text) }),
  ),
  point: column<FieldValues['point']>((point) => (point ? pointText(point) : ''), pointIn),
})
