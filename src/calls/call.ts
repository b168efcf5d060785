import type { OpenState } from '../state/state.ts'
import type { Envelope } from '../wire/envelope.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { JsonObject } from '../wire/json.ts'
import type { OpenSanitizer } from './sanitize/sanitizer.ts'
import type { LimitSettings } from './limits/tool-limit.ts'

/** One request that an author's code answers, with all that came with it. */
export interface Call {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read'
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name: string
  /** The arguments as the client sent them. */
  readonly input: JsonObject
  /** The whole parameters: the answers of earlier rounds are in them. */
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly envelope: Envelope
}

/** What every call of this Worker has in common. */
export interface CallSettings {
  /** How many bytes of UTF-8 one result may have. */
  readonly maxResultBytes: number
  readonly openState: OpenState
  readonly openSanitizer: OpenSanitizer
  readonly limits: LimitSettings
}
