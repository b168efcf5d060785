import type {
  CreateMessageParams,
  FormSchema,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from '../protocol/input-request.ts'
import { type JsonObject, isJsonObject, isTextList } from '../protocol/json.ts'
import { ClientError } from './client-error.ts'
import { content, listedTool } from './results.ts'
import {
  type ShapeOf,
  anything,
  eitherOf,
  expectShape,
  isBoolean,
  isNumber,
  isObject,
  isText,
  listOf,
  maybe,
  objectOf,
  oneOf,
  recordOf,
} from './shapes.ts'

/** What a server asks before it returns a result, with the key that it chose (basic/patterns/mrtr). */
export type AskedInput =
  | {
      readonly kind: 'form'
      readonly key: string
      readonly message: string
      readonly schema: FormSchema
    }
  | {
      readonly kind: 'url'
      readonly key: string
      readonly message: string
      /** Show all of it, and open it only if the user agrees. */
      readonly url: string
    }
  | { readonly kind: 'sampling'; readonly key: string; readonly params: CreateMessageParams }
  | { readonly kind: 'roots'; readonly key: string }

/** A folder of the user, as a `file:` URI (client/roots). */
export interface RootFolder {
  readonly uri: string
  readonly name?: string
}

/**
 * The answer to a question:
 * - to a form: the values of its fields, `'decline'` or `'cancel'`
 * - to a link: `'accept'`, `'decline'` or `'cancel'`
 * - to a sampling request: the text of the model, or a whole result with `role`, `content` and `model`
 * - to a request for roots: the list of folders
 */
export type InputAnswer = string | JsonObject | readonly (string | RootFolder)[]

type AnswerFunction = (asked: AskedInput) => InputAnswer | Promise<InputAnswer>

/** Answers all questions, or each one by its key. */
export type InputAnswers = AnswerFunction | { readonly [key: string]: InputAnswer | AnswerFunction }

/** Reads the questions of an `input_required` result. */
export function readInputRequests(inputRequests: unknown): readonly AskedInput[] {
  if (inputRequests === undefined) return []
  const requests = expectShape(recordOf(isRequest), inputRequests, 'A question of the server')
  return Object.entries(requests).map(([key, { method, params = {} }]) => {
    const what = `The question \`${key}\` of the server`
    switch (method) {
      case 'elicitation/create':
        return params['mode'] === 'url'
          ? toLink(key, expectShape(urlParams, params, what))
          : toForm(key, expectShape(formParams, params, what))
      case 'sampling/createMessage':
        return { kind: 'sampling', key, params: expectShape(samplingParams, params, what) }
      case 'roots/list':
        return { kind: 'roots', key }
    }
  })
}

/** Asks for the answer to a question, and returns the response that the specification has for it. */
export async function answerQuestion(
  asked: AskedInput,
  answers: InputAnswers | undefined,
): Promise<JsonObject> {
  const { key } = asked
  const found =
    typeof answers !== 'object' ? answers : Object.hasOwn(answers, key) ? answers[key] : undefined
  if (found === undefined) {
    throw new ClientError(
      'unanswered',
      `The server asks ${toWords(asked)} (\`${key}\`), and \`answers\` has no answer to it.`,
      { data: asked },
    )
  }
  const answer = typeof found === 'function' ? await found(asked) : found
  const response = toResponse(asked, answer)
  if (response !== null) return response
  throw new ClientError('unanswered', `The answer to \`${key}\` must be ${wanted[asked.kind]}.`, {
    data: asked,
  })
}

function toWords(asked: AskedInput): string {
  if (asked.kind === 'roots') return 'for the folders of the user'
  return asked.kind === 'sampling' ? 'the model to write a message' : `"${asked.message}"`
}

const wanted: Readonly<Record<AskedInput['kind'], string>> = {
  form: "an object with the values of the form, or 'decline' or 'cancel'",
  url: "'accept', 'decline' or 'cancel'",
  sampling: 'the text of the model, or a result with `role`, `content` and `model`',
  roots: 'a list of `file:` URIs',
}

/** Returns `null` for an answer to another kind of question. */
function toResponse(asked: AskedInput, answer: InputAnswer): JsonObject | null {
  const isRefusal = answer === 'decline' || answer === 'cancel'
  switch (asked.kind) {
    case 'form':
      if (isRefusal) return { action: answer }
      return isJsonObject(answer) ? { action: 'accept', content: answer } : null
    case 'url':
      return isRefusal || answer === 'accept' ? { action: answer } : null
    case 'sampling':
      return toSampled(answer)
    case 'roots':
      return toRoots(answer)
  }
}

function toSampled(answer: InputAnswer): JsonObject | null {
  if (typeof answer === 'string') {
    const block = { type: 'text', text: answer }
    return { role: 'assistant', content: block, model: 'unknown', stopReason: 'endTurn' }
  }
  return isJsonObject(answer) && samplingResult(answer, []) ? answer : null
}

function toRoots(answer: InputAnswer): JsonObject | null {
  if (!Array.isArray(answer)) return null
  const roots: readonly unknown[] = answer.map((root: unknown) =>
    typeof root === 'string' ? { uri: root } : root,
  )
  const areFolders = roots.every((root) => isFolder(root, []) && root.uri.startsWith('file://'))
  return areFolders ? { roots } : null
}

const isFolder = objectOf<RootFolder>({ uri: isText, name: maybe(isText) })

interface InputRequestParts {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params?: JsonObject
}

const isRequest = objectOf<InputRequestParts>({
  method: oneOf('elicitation/create', 'sampling/createMessage', 'roots/list'),
  params: maybe(isObject),
})

interface UrlParams {
  readonly message: string
  readonly url: string
}

const urlParams = objectOf<UrlParams>({
  message: isText,
  url: (value): value is string => typeof value === 'string' && URL.canParse(value),
})

function toLink(key: string, { message, url }: UrlParams): AskedInput {
  return { kind: 'url', key, message, url }
}

interface FormParams {
  readonly mode?: 'form'
  readonly message: string
  readonly requestedSchema: FormSchema
}

const formParams = objectOf<FormParams>({
  mode: maybe(oneOf('form')),
  message: isText,
  requestedSchema: objectOf<FormSchema>({
    type: oneOf('object'),
    properties: recordOf(isObject),
    required: maybe((value): value is readonly string[] => isTextList(value)),
  }),
})

function toForm(key: string, { message, requestedSchema }: FormParams): AskedInput {
  return { kind: 'form', key, message, schema: requestedSchema }
}

const _meta = maybe(isObject)

const toolUse = objectOf<ToolUseContent>({
  type: oneOf('tool_use'),
  id: isText,
  name: isText,
  input: isObject,
  _meta,
})

const toolResult = objectOf<ToolResultContent>({
  type: oneOf('tool_result'),
  toolUseId: isText,
  content: listOf(content),
  structuredContent: anything,
  isError: maybe(isBoolean),
  _meta,
})

const block = eitherOf<SamplingContent>(
  'type',
  new Map<unknown, ShapeOf<SamplingContent>>([
    ...['text', 'image', 'audio'].map((type) => [type, isPlainBlock] as const),
    ['tool_use', toolUse],
    ['tool_result', toolResult],
  ]),
)

function isPlainBlock(value: unknown, trace: (string | number)[]): value is SamplingContent {
  return content(value, trace)
}

const blocks = listOf(block)

const oneOrMore: ShapeOf<SamplingMessage['content']> = (
  value,
  trace,
): value is SamplingMessage['content'] =>
  Array.isArray(value) ? blocks(value, trace) : block(value, trace)

const message = objectOf<SamplingMessage>({
  role: oneOf('user', 'assistant'),
  content: oneOrMore,
})

const samplingResult = objectOf<SamplingMessage & { readonly model: string }>({
  role: oneOf('user', 'assistant'),
  content: oneOrMore,
  model: isText,
})

const samplingParams = objectOf<CreateMessageParams>({
  messages: listOf(message),
  maxTokens: isNumber,
  systemPrompt: maybe(isText),
  temperature: maybe(isNumber),
  stopSequences: maybe(listOf(isText)),
  modelPreferences: maybe(
    objectOf<NonNullable<CreateMessageParams['modelPreferences']>>({
      hints: maybe(listOf(objectOf<{ readonly name?: string }>({ name: maybe(isText) }))),
      costPriority: maybe(isNumber),
      speedPriority: maybe(isNumber),
      intelligencePriority: maybe(isNumber),
    }),
  ),
  tools: maybe(listOf(listedTool)),
  toolChoice: maybe(
    objectOf<NonNullable<CreateMessageParams['toolChoice']>>({
      mode: maybe(oneOf('auto', 'required', 'none')),
    }),
  ),
  includeContext: maybe(oneOf('none', 'thisServer', 'allServers')),
  metadata: maybe(isObject),
})
