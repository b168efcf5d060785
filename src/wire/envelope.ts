import type { JsonObject } from './json.ts'
import type { LogLevel } from './log-level.ts'

/** What a request says of itself in `_meta`, after the headers were found to say the same. */
export interface Envelope {
  readonly clientCapabilities: JsonObject
  /** There where the client wants progress; it goes back with its JSON type. */
  readonly progressToken?: string | number
  /** There where the client wants log messages of this level and above. */
  readonly logLevel?: LogLevel
}
