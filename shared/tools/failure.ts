/** A tool could not make sense of a file. It is the file's fault: the same file fails again, so callers go on without what the tool gives. */
export class ToolFailed extends Error {
  override name = 'ToolFailed'
}

/** A tool spent more time on a file than one file may cost, and was stopped. */
export class ToolTimedOut extends ToolFailed {
  override name = 'ToolTimedOut'
}

/** A tool can't run at all here and now. It says nothing of the file: callers try again later. */
export class ToolUnavailable extends Error {
  override name = 'ToolUnavailable'
}

/** The tool's queue is full, or others left it too little of the processor. */
export class ToolBusy extends ToolUnavailable {
  override name = 'ToolBusy'
}

/**
 * Runs a tool on a file. Whatever it throws is the file's fault, our own parsers' mistakes included: the same file makes them again. The
 * system's errors (those of a system call, a tool that can't run) say nothing of the file and are passed on.
 * @throws ToolFailed, and the system's errors
 */
export async function blamingTheFile<Result>(tool: () => Promise<Result>): Promise<Result> {
  try {
    return await tool()
  } catch (error) {
    if (error instanceof ToolFailed || isOfTheSystem(error)) throw error
    throw new ToolFailed(`a tool stumbled over the file: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** Whether an error tells of the machine (a system call that failed, a missing tool, a full disk), not of a file. */
export function isOfTheSystem(error: unknown): boolean {
  return error instanceof ToolUnavailable || (error instanceof Error && 'syscall' in error)
}
