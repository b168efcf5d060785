import type { CreatorOf } from '../define/handle-creator.ts'
import type { HandleKind } from '../define/handle-kind.ts'
import {
  toGoneSentence,
  toTooLargeSentence,
  toUnreadableSentence,
} from '../define/handle-sentences.ts'
import { ToolError } from '../define/tool-error.ts'
import type { Refusal } from './handle-answer.ts'
import { maxStateBytes } from './handle-state.ts'

/** Turns a refusal into what a tool throws: words for the model, or a fault for the log. */
export function toHandleError(refusal: Refusal, kind: HandleKind, creatorOf: CreatorOf): Error {
  switch (refusal.kind) {
    case 'gone':
      return new ToolError(toGoneSentence(kind, creatorOf(kind)))
    case 'unreadable':
      return new ToolError(toUnreadableSentence(kind, creatorOf(kind)))
    case 'too-large':
      return new ToolError(toTooLargeSentence(kind, refusal.bytes, maxStateBytes))
    case 'refused':
      return new ToolError(refusal.message)
    case 'fault':
      return new Error(`A ${kind.name} failed inside its object. ${refusal.detail}`)
  }
}
