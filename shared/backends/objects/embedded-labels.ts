import type { ObjectLabels } from './port.ts'

/** Labels as columns of a table. */
export interface LabelColumns {
  content_type: string
  cache_control: string | null
  disposition: string | null
  cache_tag: string | null
}

/** The columns, in the order of `labelValues`. */
export const LABEL_COLUMNS = ['content_type', 'cache_control', 'disposition', 'cache_tag'] as const satisfies (keyof LabelColumns)[]

export function labelValues({ contentType, cacheControl, disposition, cacheTag }: ObjectLabels): (string | null)[] {
  return [contentType, cacheControl ?? null, disposition ?? null, cacheTag ?? null]
}

export function toLabels({ content_type, cache_control, disposition, cache_tag }: LabelColumns): ObjectLabels {
  return {
    contentType: content_type,
    ...(cache_control !== null && { cacheControl: cache_control }),
    ...(disposition !== null && { disposition }),
    ...(cache_tag !== null && { cacheTag: cache_tag }),
  }
}
