/** One event of a stream, with the fields that it has. */
export interface SseEvent {
  readonly id?: string
  readonly retry?: string
  readonly data: string
}

/** Reads a stream event by event. */
export interface SseEvents {
  /** Returns the next event that is not only a comment; `null` at the end of the stream. */
  readonly nextEvent: () => Promise<SseEvent | null>
  /** Returns the next event with a message, parsed. */
  readonly nextMessage: () => Promise<Message>
  /** Returns all messages until the end. */
  readonly messages: () => Promise<readonly Message[]>
  readonly leave: () => Promise<void>
}

// a message is whatever came: tests look into it and fail where it is something else
export type Message = ReturnType<typeof JSON.parse>

export function readEvents({ body }: Response): SseEvents {
  const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function nextBlock(): Promise<string | null> {
    const end = text.indexOf('\n\n')
    if (end !== -1) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      return block
    }
    const { value, done } = await reader.read()
    if (done && text === '') return null
    if (done) throw new SyntaxError(`The stream ended within an event: ${text}`)
    text += value
    return nextBlock()
  }
  async function nextEvent(): Promise<SseEvent | null> {
    const block = await nextBlock()
    if (block === null) return null
    const event = readEvent(block)
    return event ?? nextEvent()
  }
  async function nextMessage(): Promise<Message> {
    const event = await nextEvent()
    if (event === null) throw new Error('The stream has ended.')
    return event.data === '' ? nextMessage() : JSON.parse(event.data)
  }
  async function messages(): Promise<readonly Message[]> {
    const event = await nextEvent()
    if (event === null) return []
    const rest = await messages()
    return event.data === '' ? rest : [JSON.parse(event.data), ...rest]
  }
  return { nextEvent, nextMessage, messages, leave: () => reader.cancel() }
}

/** Reads the fields of an event; `null` for one of comments only. */
function readEvent(block: string): SseEvent | null {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(id|retry|data|event)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === '' && !line.startsWith(':')) throw new SyntaxError(`An event has ${line}`)
    if (name === 'data' && 'data' in fields) throw new SyntaxError('A message has two lines.')
    if (name !== '') fields[name] = value
  }
  const { id, retry, data } = fields
  if (data === undefined) return null
  return { ...(id !== undefined && { id }), ...(retry !== undefined && { retry }), data }
}
