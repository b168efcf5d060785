/**
 * An error that the model may read: its message becomes the text of an `isError` result. Say what
 * happened, why, and what to do next. Anything else that a tool throws reaches the client as a
 * generic sentence with an error id (server/tools, "Error Handling").
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}
