import { casesContract } from './contract-cases.ts'
import { changesContract } from './contract-changes.ts'
import type { OpenEngine } from './contract-library.ts'
import { selectionContract } from './contract-selection.ts'
import { suggestContract } from './contract-suggest.ts'
import { textContract } from './contract-text.ts'

/** What every search engine promises, whatever it is made of. */
export function searchContract(name: string, open: OpenEngine): void {
  casesContract(name, open)
  textContract(name, open)
  selectionContract(name, open)
  suggestContract(name, open)
  changesContract(name, open)
}
