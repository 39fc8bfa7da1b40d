import type { Clock } from '../backends/clock/port.ts'
import type { Table, TableReader } from '../backends/table/port.ts'
import type { Actor } from './actor.ts'

/*
 * `library`, the first parameter of the domain's functions, holds what they work with: ports by the names of their resources, the clock,
 * the caller's rights (`access`), the actor of the change (`by`). Each function asks for the part that it needs. Handlers pass on what they
 * received.
 */

/** Reads records. */
export interface Reading {
  table: TableReader
}

/** Writes records with their actor. */
export interface Writing {
  table: Table
  clock: Clock
  by: Actor
}
