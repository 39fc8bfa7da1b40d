import type { Command } from 'commander'
import { notAvailableYet, verb } from './command.ts'

/** `check` */
export function checkCommand(program: Command): void {
  verb(program, 'check', 'walk table and objects: find orphans, dangling pointers, wrong counts', ['check --json']).action(
    notAvailableYet('Checking the library'),
  )
}
