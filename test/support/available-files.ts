import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Leaves out the files of projects whose global setup found this machine unable to run them. The counts reporter lists them. */
export default class AvailableFiles extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return super.sort(files.filter(({ project }) => project.getProvidedContext().unavailable === undefined))
  }
}
