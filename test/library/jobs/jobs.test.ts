import { openTestTable } from '../../support/library.ts'
import { jobsContract } from './contract.ts'

jobsContract('embedded', async () => openTestTable().table)
