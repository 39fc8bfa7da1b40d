import type { Clock } from '../backends/clock/port.ts'
import type { Table, TableReader } from '../backends/table/port.ts'
import type { Actor } from './actor.ts'

/*
 * The first parameter of the domain's functions, `library`: ports by the names of their resources, the clock, what the caller
 * may do (`access`), who makes the change (`by`). Each function asks for the part that it needs; handlers pass on what they received.
 */

/** To read records. */
export interface Reading {
  table: TableReader
}

/** To write records that say who changed them. */
export interface Writing {
  table: Table
  clock: Clock
  by: Actor
}
