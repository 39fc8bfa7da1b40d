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

/** As many wait for a tool as may. */
export class ToolBusy extends ToolUnavailable {
  override name = 'ToolBusy'
}
