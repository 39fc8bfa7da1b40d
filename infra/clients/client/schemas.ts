import type { components } from '../../../dist/api.d.ts'

/** Shapes of the service's answers and bodies, by the names of the API document. */
export type Schemas = components['schemas']
