import { changesContract } from '../contract-changes.ts'
import { inNewProcesses } from './snapshots-in-memory.ts'

changesContract('embedded search in a new process for each query, with snapshots', inNewProcesses)
