/** A small change of meaning, and the tests that should notice it. */
export interface Mutation {
  readonly title: string
  /** Below `src/`. */
  readonly file: string
  /** Text that stands in the file exactly once. */
  readonly from: string
  readonly to: string
  /** The narrowest files that should notice, so that each run takes seconds. */
  readonly tests: readonly string[]
}

type Change = readonly [title: string, from: string, to: string]

function changesOf(
  file: string,
  tests: readonly string[],
  ...changes: readonly Change[]
): readonly Mutation[] {
  return changes.map(([title, from, to]) => ({ title, file, from, to, tests }))
}

export const mutations: readonly Mutation[] = [
  // testing
  ...changesOf(
    'testing/node/server-entry.ts',
    ['test/rooms/testing/node/start-server.test.ts'],
    [
      'whoever sends the header is the caller',
      'headers.get(controlHeaders.key) !== key',
      'headers.get(controlHeaders.key) === null',
    ],
  ),
  ...changesOf(
    'testing/tool-result.ts',
    ['test/rooms/testing/call-tool.test.ts'],
    ['a test gets the id of an error only', 'return line?.thrown', 'return line?.fields'],
    ['a refused answer is given again', 'if (isRepeated) {', "if (isRepeated && key === '') {"],
  ),
  // serve
  ...changesOf(
    'serve/fetch.ts',
    ['test/rooms/serve/fetch.test.ts'],
    [
      'the limit of all requests counts addresses of signed-in callers',
      'requestLimit.count(call.countedAs, ',
      "requestLimit.count(call.headers.get('CF-Connecting-IP') ?? 'unknown', ",
    ],
    [
      'the body is read before the caller is let in',
      '(await admit(call, ctx)) ?? (await readMessage(call)) ??',
      '(await readMessage(call)) ?? (await admit(call, ctx)) ??',
    ],
    [
      'a guard is never asked',
      'if (guard !== null && call.request !== null) {',
      'if (guard === null && call.request !== null) {',
    ],
  ),
  ...changesOf(
    'serve/fetch.ts',
    ['test/rooms/serve/origin.test.ts'],
    ['the origin is not kept for the reply', '  call.origin = origin\n', ''],
    ['a rebound host may read documents', 'isMessage ? null : checkHost(call)', 'null'],
  ),
  ...changesOf(
    'serve/list-documents.ts',
    ['test/rooms/serve/list-documents.test.ts'],
    [
      'a document is public where callers must sign in',
      'guard === null || guard.allowsAnonymous',
      'guard === null || !guard.allowsAnonymous',
    ],
    ['a weakened tag does not match', ".replace(/^W\\//, '')", ''],
    [
      'documents of a cached list do not say so',
      '...(outcome.cached && { cached: outcome.cached }),\n  })',
      '})',
    ],
    ['the cursor of a document is ignored', 'cursor === null ? {} : { cursor }', '{}'],
    [
      'Workers Cache may answer instead of this Worker',
      "  'Cloudflare-CDN-Cache-Control': 'no-store',\n",
      '',
    ],
  ),
  ...changesOf(
    'serve/read-json.ts',
    ['test/rooms/serve/read-json.test.ts'],
    ['one level of nesting fewer', '++depth > maxDepth', '++depth >= maxDepth'],
    ['any finite number is exact', 'Math.abs(value) < firstInexact', 'Number.isFinite(value)'],
    [
      '\\u hides nothing',
      "members === parsedMembers && !text.includes('\\\\u')",
      "members === parsedMembers || !text.includes('\\\\u')",
    ],
    [
      'a string value counts as a key',
      'keys?.add(string)\n        isKey = false',
      'keys?.add(string)',
    ],
    ['an escaped backslash escapes the quote', '(at - first) % 2 === 1', 'at - first > 0'],
  ),
  ...changesOf(
    'serve/read-message.ts',
    ['test/rooms/serve/read-message.test.ts', 'test/rooms/serve/fetch.test.ts'],
    [
      'an empty Accept header accepts nothing',
      "headers.get('Accept') || '*/*'",
      "headers.get('Accept') ?? '*/*'",
    ],
    [
      'an invalid request is answered without its id',
      "message.kind === 'notification' ? undefined : message.id",
      "message.kind === 'request' ? message.id : undefined",
    ],
  ),
  ...changesOf(
    'protocol/json.ts',
    ['test/rooms/serve/read-message.test.ts', 'test/rooms/serve/fetch.test.ts'],
    ['an unsafe integer is an id', 'Number.isSafeInteger(value)', 'Number.isInteger(value)'],
  ),
  ...changesOf(
    'serve/read-body.ts',
    ['test/rooms/serve/read-body.test.ts'],
    ['a body of exactly the limit is refused', 'Number(length) > limit', 'Number(length) >= limit'],
    ['a streamed body of exactly the limit is refused', 'if (size > limit)', 'if (size >= limit)'],
  ),
  ...changesOf(
    'serve/read-message.ts',
    ['test/rooms/serve/read-message.test.ts', 'test/rooms/serve/fetch.test.ts'],
    [
      'one harmless parameter is enough',
      'parameters.every(isHarmless)',
      'parameters.some(isHarmless)',
    ],
    ['a low quality refuses', '/^q=0(?:\\.0*)?$/', '/^q=0/'],
    [
      'any type of Accept opens streams',
      "const streams = takes(ranges, ['text/event-stream', 'text/*'])",
      "const streams = takes(ranges, ['text/event-stream', 'text/*', '*/*'])",
    ],
  ),
  ...changesOf(
    'serve/respond.ts',
    [
      'test/rooms/serve/respond.test.ts',
      'test/rooms/serve/audited.test.ts',
      'test/rooms/serve/origin.test.ts',
    ],
    [
      'the reply to a retry may be cached',
      "hints: { ttlMs: 0, cacheScope: 'private' }",
      'hints: outcome.hints',
    ],

    ['Vary is lost', "    Vary: 'Origin',\n", ''],
    [
      'a refusal is an event',
      "error.status === 200 && call.accepted.reply === 'text/event-stream'",
      "call.accepted.reply === 'text/event-stream'",
    ],
    ['a stream has no audit line', '  audit(call, outcome, 200)\n  stream.end', '  stream.end'],
    ['a stream may be stored', '...sseHeaders, ...noStore }', '...sseHeaders }'],
    [
      'a stream goes to a client that takes none',
      'if (!call.accepted.streams) return respond',
      'if (!call.accepted.allowsStream) return respond',
    ],
  ),
  ...changesOf(
    'serve/respond.ts',
    ['test/leaks/refusals.test.ts'],
    ['headers of failures are not masked', 'sanitizer.mask(value)', 'value'],
  ),
  ...changesOf(
    'serve/origin.ts',
    ['test/rooms/serve/origin.test.ts'],
    [
      'plain http is its own origin anywhere',
      "return protocol === 'https:' && origin === own",
      'return origin === own',
    ],
    ['ETag is hidden from pages', ', Cache-Status, ETag', ', Cache-Status'],
    ['a preflight allows no GET', "'POST, GET, DELETE'", "'POST'"],
  ),
  ...changesOf(
    'serve/routes.ts',
    [
      'test/rooms/serve/list-documents.test.ts',
      'test/rooms/serve/origin.test.ts',
      'test/rooms/serve/fetch.test.ts',
    ],
    [
      'a document is served without credentials',
      '((await admit()) ?? answerDocument(name, call))',
      'answerDocument(name, call)',
    ],
    [
      'a foreign page cannot read the metadata',
      'metadata ?? refused ?? router',
      'refused ?? metadata ?? router',
    ],
    ['the metadata names the origin of a page', '  call.origin = null\n', ''],
  ),

  ...changesOf(
    'serve/session-routes.ts',
    ['test/spec/legacy-transports.test.ts'],
    [
      'a client of HTTP+SSE waits for its first event',
      'isServed(call) && hasBegun && listsEventStream(accept)',
      'isServed(call) && listsEventStream(accept)',
    ],
  ),
  // mcp
  ...changesOf(
    'mcp/legacy/legacy-envelope.ts',
    ['test/spec/legacy-tools.test.ts'],
    [
      'earlier revisions have rounds',
      'withoutNullCursor(withoutRounds(params))',
      'withoutNullCursor(params)',
    ],
  ),
  ...changesOf(
    'mcp/legacy/legacy-envelope.ts',
    ['test/spec/legacy-transports.test.ts'],
    [
      'the negotiated version is forgotten',
      'header || (call.session?.version ?? revisionWithoutHeader)',
      'header || revisionWithoutHeader',
    ],
  ),
  ...changesOf(
    'mcp/call.ts',
    ['test/rooms/mcp/call.test.ts', 'test/rooms/serve/list-documents.test.ts'],
    [
      'requests of signed-in callers are counted by their address',
      'return this.callerDigest ?? toClientAddress(this.headers)',
      'return toClientAddress(this.headers)',
    ],
    [
      'a message follows the reply',
      'this.accepted.streams && !this.isAnswered',
      'this.accepted.streams',
    ],
    ['what is released is released again', '    this.#releases = null\n', ''],
    [
      'a document shows what its caller sees',
      '    call.params = params\n',
      '    call.params = params\n    call.caller = this.caller\n',
    ],
    [
      'only answers make a retry',
      'inputResponses !== undefined || requestState !== undefined',
      'inputResponses !== undefined && requestState !== undefined',
    ],
  ),
  ...changesOf(
    'mcp/completions.ts',
    ['test/rooms/mcp/completions.test.ts'],
    [
      'a full page claims to have more',
      'all > Math.min(values.length, most)',
      'all >= Math.min(values.length, most)',
    ],
    ['the total is what came', 'Math.max(total ?? 0, values.length)', 'values.length'],
    ['options match anywhere', 'startsWith(start)', 'includes(start)'],
    [
      'an inherited member is a chosen value',
      'Object.hasOwn(chosen, name) ? chosen[name] : undefined',
      'chosen[name]',
    ],
  ),
  ...changesOf(
    'mcp/contexts.ts',
    [
      'test/rooms/mcp/contexts.test.ts',
      'test/spec/server-utilities.test.ts',
      'test/spec/basic-progress.test.ts',
    ],
    ['a log message may be no JSON', "if (typeof part === 'bigint') return String(part)", ''],
    [
      'messages of the level asked for are not sent',
      'logLevels.indexOf(level) < logLevels.indexOf(logLevel)',
      'logLevels.indexOf(level) <= logLevels.indexOf(logLevel)',
    ],
    ['progress is sent twice', 'done <= last', 'done < last'],
    [
      'error is only a warning',
      "severity >= logLevels.indexOf('error')",
      "severity > logLevels.indexOf('error')",
    ],
    [
      'without a level everything is sent',
      'logLevel === undefined || logLevels',
      'logLevel !== undefined && logLevels',
    ],
  ),
  ...changesOf(
    'mcp/deadline.ts',
    ['test/rooms/mcp/deadline.test.ts', 'test/rooms/mcp/work.test.ts'],
    ['each step has the whole time', 'Math.max(this.#endsAt - Date.now(), 0)', 'this.limitMs'],
    ['a client that went before is waited for', '    if (client.signal.aborted) leave()\n', ''],
    ['work that was stopped is not kept alive', '      client.waitUntil(this.#stopping)\n', ''],
    [
      'work whose result is kept is stopped with its client',
      "if (whenGone === 'stop') stop",
      'if (whenGone) stop',
    ],
  ),
  ...changesOf(
    'mcp/discover.ts',
    ['test/rooms/mcp/discover.test.ts', 'test/spec/server-discover.test.ts'],
    [
      'a server without a hub says that lists change',
      'hasHub ? { listChanged: true } : {}',
      '{ listChanged: true }',
    ],
    ['instructions are lost', '    ...(instructions !== null && { instructions }),\n', ''],
  ),
  ...changesOf(
    'mcp/request-headers.ts',
    ['test/rooms/mcp/envelope.test.ts'],
    [
      'the empty encoded value is taken as it is written',
      'header.length >= prefix.length + suffix.length',
      'header.length > prefix.length + suffix.length',
    ],
    [
      'the version is checked before the headers',
      "findMismatch('Mcp-Method', headers.get('Mcp-Method'), method) ??\n",
      '',
    ],
    [
      'a null argument needs a header',
      'value === undefined || value === null',
      'value === undefined',
    ],
  ),
  ...changesOf(
    'mcp/tool-limits.ts',
    ['test/rooms/mcp/tool-limits.test.ts'],
    ['all tools of a caller share a window', 'key: `${name} ${countedAs}`', 'key: countedAs'],
    [
      'all tools of a caller share a bucket',
      "caller: ['caller', name, countedAs]",
      "caller: ['caller', countedAs]",
    ],
    [
      'destructive tools run uncounted',
      "hints?.destructive === true ? 'refuse' : 'allow'",
      "hints?.destructive === true ? 'allow' : 'refuse'",
    ],
    ['two minutes are told in minutes', 'ms > 2 * candidate.ms', 'ms >= 2 * candidate.ms'],
    [
      'a place is lost if the client disconnects while it is taken',
      '  call.onEnd(giveBack)\n  try {',
      '  try {',
    ],
    [
      'a place is taken for less than the call takes',
      'ms: deadline.limitMs + marginMs',
      'ms: deadline.limitMs',
    ],
  ),
  ...changesOf(
    'mcp/lists.ts',
    ['test/rooms/mcp/lists.test.ts', 'test/rooms/mcp/visibility.test.ts'],
    ['a list that depends on the caller is public', "{ ...hints, cacheScope: 'private' }", 'hints'],
    [
      'a list of another env is sent',
      'cursor === undefined && this.#first?.sanitizer === sanitizer',
      'cursor === undefined && this.#first !== null',
    ],
    ['lists are in reverse order', 'a.key < b.key ? -1 : 1', 'a.key > b.key ? -1 : 1'],
    [
      'the second page is kept as the first',
      '    if (cursor === undefined) this.#first = ',
      '    this.#first = ',
    ],
  ),
  ...changesOf(
    'mcp/pagination.ts',
    ['test/rooms/mcp/merged-page.test.ts'],
    ['a full page goes on', 'listed.length >= size', 'listed.length > size'],
    [
      'every source gets the cursor of the first',
      'index === 0 ? from.cursor : undefined',
      'from.cursor',
    ],
  ),
  ...changesOf(
    'mcp/once.ts',
    ['test/rooms/mcp/once.test.ts', 'test/spec/basic-mrtr.test.ts'],
    [
      'a failure of a run is not looked up',
      'return found === null ? null : toFound(work, found)',
      'return null',
    ],
    [
      'a run is not looked up before a failure',
      'const ran = await findRun(work, nonce)',
      'const ran = null',
    ],
    ['a run that is about to begin is not waited for', '[0, 50, 100, 200, 400, 800]', '[0]'],
    [
      'a run is stopped with its client',
      "work.runInTime(answers, 'keep')",
      'work.runInTime(answers)',
    ],
    [
      'a result is kept after the reply',
      'await finish(work, nonce, outcome.members)',
      'void finish(work, nonce, outcome.members)',
    ],
    [
      'a claim ends before the call may',
      'work.deadline.limitMs + marginMs',
      'work.deadline.limitMs',
    ],
  ),
  ...changesOf(
    'mcp/pagination.ts',
    ['test/rooms/mcp/pagination.test.ts'],
    [
      'an exact page promises another',
      'start + size < entries.length',
      'start + size <= entries.length',
    ],
    ['the last entry comes twice', 'key > last)', 'key >= last)'],
    ['a cursor of another list is taken', 'name === list && checksum', 'checksum'],
  ),
  ...changesOf(
    'mcp/pipeline.ts',
    [
      'test/rooms/mcp/pipeline.test.ts',
      'test/rooms/mcp/pipeline-limits.test.ts',
      'test/rooms/mcp/once.test.ts',
    ],
    [
      'calls that ask are never counted',
      "rounds?.kind === 'rounds' && rounds.isRetry",
      "rounds?.kind === 'rounds'",
    ],
    ['a state is free each time', '!(await isRepeated(work, rounds.state))', 'true'],
    [
      'arguments are checked before the caller',
      '(await checkVisible(work.entry, call, () => work.toUnknown())) ?? work.checkParams()',
      'work.checkParams() ?? (await checkVisible(work.entry, call, () => work.toUnknown()))',
    ],
    [
      'a retry is answered from the cache',
      'call.isFromKey || isRetry(call.params) ? null',
      'call.isFromKey ? null',
    ],
    [
      'a place is given back after the reply',
      'if (ending !== null) await ending',
      'if (ending !== null) void ending',
    ],
    ['each round is counted', 'if (!(await isRepeated(work, rounds.state))) return null', ''],
  ),
  ...changesOf(
    'mcp/visibility.ts',
    ['test/rooms/mcp/pipeline.test.ts', 'test/spec/legacy-authorization.test.ts'],
    ['a step-up hides the entry', 'return fail(viewer.stepUp(entry.scopes))', 'return toUnknown()'],
  ),
  ...changesOf(
    'mcp/prompts.ts',
    ['test/leaks/results.test.ts'],
    [
      'prompts are not sanitised',
      "return { kind: 'result', members: checkSize(this.name, members, maxResultBytes) }",
      "return { kind: 'result', isClean: true, members: checkSize(this.name, members, maxResultBytes) }",
    ],
  ),
  ...changesOf(
    'mcp/resources.ts',
    ['test/leaks/results.test.ts'],
    [
      'resources are not sanitised',
      "return { kind: 'result', members }",
      "return { kind: 'result', isClean: true, members }",
    ],
  ),
  ...changesOf(
    'mcp/prompts.ts',
    ['test/rooms/mcp/prompts.test.ts'],
    [
      'text is spoken by the assistant',
      "{ role: 'user', content: message }",
      "{ role: 'assistant', content: message }",
    ],
  ),
  ...changesOf(
    'mcp/resource-contents.ts',
    ['test/rooms/mcp/resources.test.ts', 'test/rooms/mcp/result-size.test.ts'],
    [
      'an empty list of contents is a resource',
      'parts.length === 0 ? null : Array.from',
      'Array.from',
    ],
    ['JSON goes out as bytes', '|^application\\/(?:json|xml', '|^application\\/(?:xml'],
    [
      'the source of a stream is not told',
      '  } catch (error) {\n    cancel(error)\n',
      '  } catch (error) {\n',
    ],
  ),
  ...changesOf(
    'mcp/resource-lookup.ts',
    ['test/rooms/mcp/resource-lookup.test.ts'],
    [
      'the least specific template comes first',
      'b.template.literals - a.template.literals',
      'a.template.literals - b.template.literals',
    ],
    [
      'a resource cached for a second is not kept',
      'ttlMs >= 1000 && !asks',
      'ttlMs > 1000 && !asks',
    ],
    ['a resource that asks is kept', 'ttlMs >= 1000 && !asks', 'ttlMs >= 1000'],
    [
      'lists are purged where there are none',
      'lists: lists && hasLists',
      'lists: lists || hasLists',
    ],
  ),
  ...changesOf(
    'mcp/resources-list.ts',
    ['test/rooms/mcp/resources-list.test.ts'],
    [
      'a row of another template is listed',
      'findResource(uri)?.entry.uri === entry.uri',
      'findResource(uri) !== null',
    ],
    ['a list that never ends is sent', 'isText && next === cursor', '!isText && next === cursor'],
    ['a row cannot name its own type', 'row.mime ?? mime', 'mime'],
    [
      'a list that lacks resources is cached',
      '...(errorId !== undefined && { errorId })',
      '...(errorId === null && { errorId })',
    ],
  ),
  ...changesOf(
    'mcp/resources.ts',
    ['test/rooms/mcp/resources.test.ts', 'test/spec/server-resources.test.ts'],
    ['every resource is public', "shared ? 'public' : 'private'", "shared ? 'private' : 'public'"],
    [
      'a shared resource is told its caller',
      'const { caller: _, ...shared } = context',
      'const { ...shared } = context',
    ],
    ['a missing resource says nothing of its URI', 'why, uri: excerpt(uri) })', "why, uri: '' })"],
  ),
  ...changesOf(
    'mcp/resources-list.ts',
    [
      'test/rooms/mcp/resources-list.test.ts',
      'test/rooms/cache/listings-entrypoint.test.ts',
      'test/rooms/cache/lifetimes.test.ts',
    ],
    [
      'a list that is told its caller is public',
      'isVisibleToAll(entry) && !isToldCaller(entry)',
      'isVisibleToAll(entry) || !isToldCaller(entry)',
    ],
    [
      'rows of one caller are cached for all',
      '        ...(this.#visible.some(isToldCaller) && { caller: call.caller }),\n',
      '',
    ],
    ['what a caller sees is cached for all', '        ...(!isSame && { visible: guarded }),\n', ''],
  ),
  ...changesOf(
    'mcp/subscriptions.ts',
    ['test/rooms/mcp/subscriptions.test.ts', 'test/rooms/state/hub.test.ts'],
    ['one URI fewer', 'uris.length > maxUris', 'uris.length >= maxUris'],
    [
      'a filter may be null',
      'const { resourceSubscriptions: uris = [] } = notifications',
      "const uris = notifications['resourceSubscriptions'] ?? []",
    ],
    ['a URI is listened to twice', '[...new Set(uris)]', 'uris'],
  ),
  ...changesOf(
    'mcp/hub-stream.ts',
    ['test/rooms/mcp/subscriptions.test.ts', 'test/rooms/state/hub.test.ts'],
    [
      'a stream outlives the credentials',
      'Math.min(Date.now() + maxListenMs, toEnd(caller?.expires))',
      'Date.now() + maxListenMs',
    ],
    ['scopes of a listener are lost', 'scopes: caller?.scopes ?? []', 'scopes: []'],
  ),
  ...changesOf(
    'mcp/legacy/ask-client.ts',
    ['test/rooms/mcp/legacy/ask-client.test.ts'],
    [
      'a call continues with an answer that lacks a scope',
      'isSame && hasScopes(answering, call.caller?.scopes ?? [])',
      'isSame',
    ],
    [
      'a call continues as its caller was',
      'if (isGranted) call.caller = answering',
      'void answering',
    ],
    ['a hidden tool may finish its call', 'if (isGranted && isVisible)', 'if (isGranted)'],
    ['a carried value changes meanwhile', 'response: copy }', 'response }'],
    ['sampling is missing in 2025-06-18', '...Object.keys(read), ', ''],
    ['no revision lacks a question', 'lacking.length > 0', 'lacking.length > 9'],
  ),
  ...changesOf(
    'mcp/legacy/ask-client.ts',
    ['test/rooms/mcp/legacy/asked-runs.test.ts'],
    [
      'a call runs although it was cancelled before its answer arrived',
      'if (isAsked && stopIfCancelled(work.call)) throw',
      'if (isAsked && work.call.isCancelled) throw',
    ],
  ),
  ...changesOf(
    'mcp/legacy/exchange.ts',
    ['test/rooms/mcp/legacy/ask-client.test.ts', 'test/rooms/mcp/legacy/exchange.test.ts'],
    ['a call asks without end', 'if (questions.size > maxQuestions) {', 'if (maxQuestions < 0) {'],
    [
      'questions may be longer than a result',
      '    checkSize(`What ${excerpt(name)} asks`, printed, call.settings.maxResultBytes)\n',
      '',
    ],
    ['the first answer counts for all', '    if (open.size > 0) return\n', ''],
    [
      'a refusal is an answer',
      "if (!isJsonObject(answer) || !('result' in answer)) {",
      'if (!isJsonObject(answer)) {',
    ],
    [
      'a refusal repeats a long text of the client',
      "typeof message === 'string' ? excerpt(message)",
      "typeof message === 'string' ? message",
    ],
    [
      'a call whose object is lost waits on',
      '  void forwarding.then(() => resolve(stop(toLost(name))))\n',
      '  void forwarding\n',
    ],
    ['a call whose client is gone waits on', "  signal.addEventListener('abort', leave)\n", ''],
    ['a question without an answer is open for ever', '))), waitMs)', '))), 2 * waitMs)'],
    [
      'the questions of a call stay open in its client',
      'of open.values()) {',
      'of [...open.values()].slice(0, 0)) {',
    ],
    ['the object stays open after its call', '    bridge.close()\n', '    void bridge\n'],
    [
      'a question is asked that the revision lacks',
      'if (converted === null) {',
      'if (converted === undefined) {',
    ],
  ),
  ...changesOf(
    'mcp/legacy/exchange.ts',
    ['test/rooms/mcp/legacy/asked-runs.test.ts'],
    ['a call that was answered still asks', '    call.isAsking = false\n', ''],
  ),
  ...changesOf(
    'mcp/legacy/exchange.ts',
    ['test/rooms/mcp/legacy/exchange.test.ts'],
    ['a call that was cancelled asks', '  if (signal.aborted) throw toClientGone(signal)\n', ''],
  ),
  ...changesOf(
    'mcp/legacy/exchange.ts',
    ['test/spec/reference-limits.test.ts'],
    [
      'a call waits on although its answers are too long',
      "if (text === '') return resolve(stop(toTooLong(name)))",
      "if (text === '') return",
    ],
  ),
  ...changesOf(
    'mcp/legacy/question-id.ts',
    ['test/rooms/mcp/legacy/question-id.test.ts'],
    ['an answer of another caller counts', "callerDigest ?? ''", "callerDigest === null ? '' : ''"],
    ['an answer of another session counts', "session?.nonce ?? ''", "session === null ? '' : ''"],
    [
      'an answer to another server counts',
      '[settings.serverInfo.name, ',
      '[settings.serverInfo.name.slice(0, 0), ',
    ],
    [
      'an answer that does not count is accepted',
      "reply === 'accepted' ? null : notOpen",
      "reply === 'accepted' ? null : null",
    ],
    [
      'a caller is taken from a text that has none',
      'caller: isCaller(caller) ? caller : null',
      'caller',
    ],
    [
      'a server without a key fails',
      'call.state.hasKey ? findBridgeNamespace(call.exports) : null',
      'findBridgeNamespace(call.exports)',
    ],
  ),
  ...changesOf(
    'objects/bridge-questions.ts',
    ['test/rooms/state/bridge.test.ts'],
    [
      'a second call reads the answers of the first',
      ' || this.#state.getWebSockets(tag).length > 0',
      '',
    ],
    ['an answer counts that no question waits for', '!open.includes(index) || ', ''],
    ['an answer counts after its time', ' || until <= Date.now()', ''],
    ['an answer counts twice', 'open: open.filter((other) => other !== index)', 'open'],
    ['answers may be of any length', "${left < 0 ? '' : text}", '${text}'],
    ['each answer may have the length of all', 'room: left', 'room'],
    ['a call opens any number of questions', '(\\d{1,3}) ', '(\\d+) '],
    ['an answer ends at a line break', '(.*)$/s', '(.*)$/m'],
  ),
  ...changesOf(
    'serve/legacy.ts',
    ['test/rooms/mcp/legacy/ask-client.test.ts'],
    ['a result with an error is an answer', '(error ?? null) !== null || ', ''],
  ),
  ...changesOf(
    'mcp/legacy/cancellation.ts',
    ['test/rooms/mcp/legacy/cancellation.test.ts'],
    [
      'a number and a string are one id',
      '${callerDigest} ${JSON.stringify(id)}`',
      '${callerDigest} ${id}`',
    ],
    [
      'a cancellation stays in its isolate',
      'if (!isHere) call.waitUntil(cancelElsewhere(call, session, requestId))',
      'void isHere',
    ],
  ),
  ...changesOf(
    'mcp/legacy/cancellation.ts',
    ['test/rooms/mcp/legacy/asked-runs.test.ts'],
    [
      'an open question outlives its session',
      '    if (call.isAsking && sessions.hasEnded(session)) stop(call)\n',
      '',
    ],
    [
      'a call that runs is stopped with its session',
      'call.isAsking && sessions.hasEnded(session)',
      'sessions.hasEnded(session)',
    ],
    [
      'the end of a session stays in its isolate',
      'else call.settings.sessions.end(session)',
      'else void session',
    ],
  ),
  ...changesOf(
    'serve/session-routes.ts',
    ['test/rooms/serve/session-routes.test.ts'],
    ['a browser gets a stream', " && !accept.includes('text/html')", ''],
    [
      'a stream that is over is opened again',
      'lost !== null || !call.state.hasHub',
      '!call.state.hasHub',
    ],
    ['a session goes on after DELETE', '  settings.sessions.end(session)\n', ''],
  ),
  ...changesOf(
    'mcp/stream-access.ts',
    ['test/rooms/mcp/legacy/session-subscriptions.test.ts'],
    [
      'a subscription that is hidden for a while is forgotten',
      '    this.#uris = uris\n',
      '    this.#uris = [...visible.values()].flat()\n',
    ],
  ),
  ...changesOf(
    'mcp/stream-access.ts',
    ['test/rooms/mcp/subscriptions.test.ts'],
    ['a resource that needs more scopes is listened to', "=== 'visible'", "!== 'hidden'"],
    [
      'a stream outlives a scope',
      '!isSame || !hasScopes(admission.caller, caller?.scopes ?? [])',
      '!isSame',
    ],
    [
      'an outage ends every stream',
      "temporary.has(admission.failure.kind) ? 'unknown' : 'lost'",
      "'lost'",
    ],
  ),
  ...changesOf(
    'mcp/tool-result.ts',
    [
      'test/rooms/mcp/tools.test.ts',
      'test/rooms/mcp/tool-result.test.ts',
      'test/rooms/mcp/result-size.test.ts',
    ],
    ['a result of exactly the limit is refused', 'if (bytes <= maxBytes)', 'if (bytes < maxBytes)'],
    [
      'text of the author is doubled',
      "content.some(({ type }) => type === 'text')",
      "content.every(({ type }) => type !== 'text')",
    ],
  ),
  ...changesOf(
    'protocol/json.ts',
    ['test/rooms/protocol/json.test.ts'],
    ['NaN is sent as null', 'return Number.isFinite(value)', 'return true'],
    ['a hole in a list is sent as null', 'index < value.length', 'index < value.length - 1'],
    ['what a class hides is lost', ' && !hasAccessors(value)', ''],
    ['a circle overflows the stack', 'level === maxLevels', 'level === Infinity'],
  ),
  ...changesOf(
    'protocol/read-members.ts',
    ['test/rooms/protocol/read-content.test.ts', 'test/rooms/build/kinds/tool.test.ts'],
    ['null is sent for an optional member', 'delete mended[key]', 'mended[key] = null'],
    ['the 30th of February is a time', 'Number(day) <= days && ', ''],
  ),
  ...changesOf(
    'util/bytes.ts',
    ['test/rooms/util/bytes.test.ts'],
    ['white space passes for padding', ' && text.endsWith(padding)', ''],
  ),
  ...changesOf(
    'mcp/result-size.ts',
    ['test/rooms/mcp/result-size.test.ts'],
    [
      'a character is cut in half',
      'isWellFormed() ? fitting : fitting - 1',
      'isWellFormed() ? fitting : fitting',
    ],
  ),
  ...changesOf(
    'mcp/tools.ts',
    [
      'test/rooms/mcp/once.test.ts',
      'test/rooms/mcp/tools.test.ts',
      'test/spec/basic-mrtr.test.ts',
      'test/rooms/mcp/contexts.test.ts',
    ],
    ['an idempotent tool takes a claim', 'hints.idempotent !== true && ', ''],
    ['a tool that only reads takes a claim', ' && hints.readOnly !== true', ''],
    [
      'a shared tool is told its caller',
      'withUnavailable(unavailableWhereShared, cached)',
      'withUnavailable(unavailableWhereShared, { ...cached, caller })',
    ],
    [
      'a time limit of a tool is not kept',
      'timeout === undefined ? defaultLimitMs',
      'timeout !== undefined ? defaultLimitMs',
    ],
  ),
  ...changesOf(
    'mcp/thrown-errors.ts',
    ['test/rooms/mcp/tools.test.ts'],
    [
      'the cause of a ToolError is not logged',
      'error.cause !== undefined',
      'error.cause === undefined',
    ],
  ),
  ...changesOf(
    'mcp/uses.ts',
    ['test/rooms/mcp/uses.test.ts'],
    ['a missing id is optional', 'else if (!isOptional)', 'else if (isOptional)'],
    [
      'an inherited member is an id',
      'Object.hasOwn(input, name) ? (input[name] ?? null) : null',
      '(input[name] ?? null)',
    ],
  ),
  ...changesOf(
    'mcp/visibility.ts',
    ['test/rooms/mcp/visibility.test.ts'],
    [
      'a flag that fails shows what it guards',
      "error)\n    return 'failed'",
      "error)\n    return 'visible'",
    ],
    ['what is concealed is told of', "entry.conceal ? 'hidden' : 'step-up'", "'step-up'"],
    ['a conditional list is open', 'scopes.length === 0 && !conditional', 'scopes.length === 0'],
  ),

  // the revisions that begin with `initialize`
  ...changesOf(
    'mcp/legacy/session.ts',
    ['test/rooms/mcp/legacy/session.test.ts'],
    [
      'a session works for another caller',
      "(session.caller !== '' && session.caller !== caller)",
      'false',
    ],
    ['a client cannot step up', "session.caller !== '' && ", ''],
    [
      'a session never ages out',
      'if (toSessionEnd(session) <= now) return null',
      'if (session.issued > now) return null',
    ],
    [
      'servers with one key share their sessions',
      'await sealer.open(id, this.#server)',
      "await sealer.open(id, '')",
    ],
    [
      'each request decrypts the session again',
      'this.#opened.get(id) ?? (await this.#open(id, keys))',
      'await this.#open(id, keys)',
    ],
    [
      'an older setting of the level counts',
      'known.at >= (log?.at ?? 0)',
      'known.at <= (log?.at ?? 0)',
    ],
    [
      'an unknown log level is kept',
      "isLogLevel(level) && typeof at === 'number' ?",
      "typeof at === 'number' ?",
    ],
  ),
  ...changesOf(
    'mcp/legacy/initialize.ts',
    ['test/rooms/mcp/legacy/initialize.test.ts'],
    ['a session belongs to nobody', "caller: call.callerDigest ?? '',", "caller: '',"],
    ['a session id has all that a client declares', 'capabilities: declared,', 'capabilities,'],
    [
      'a level does not count for the first session id',
      '  call.settings.sessions.setLevel(session, log)\n',
      '',
    ],
  ),
  ...changesOf(
    'mcp/legacy/legacy-envelope.ts',
    ['test/rooms/mcp/legacy/legacy-envelope.test.ts'],
    [
      'two different versions in one header are served',
      'others.every((other) => other === first)',
      'others.length > 0',
    ],
    ['a session that does not open is ignored', 'session !== null &&\n', 'session === null ||\n'],
    [
      'the version of the session comes before the header',
      'header || (call.session?.version ?? revisionWithoutHeader)',
      'call.session?.version ?? (header || revisionWithoutHeader)',
    ],
  ),
  ...changesOf(
    'serve/legacy.ts',
    ['test/rooms/serve/legacy.test.ts'],
    [
      'a client with an old session cannot begin again',
      'begins\n    ? null\n    : await openSession(',
      'await openSession(',
    ],
    [
      'errors before the revision is known are those of 2026-07-28',
      '  call.revision = newestLegacy\n',
      '',
    ],
  ),
  ...changesOf(
    'serve/legacy.ts',
    ['test/rooms/serve/legacy-outages.test.ts'],
    [
      'an answer that was lost counts as accepted',
      "return call.id === undefined ? fail({ kind: 'document-failed', cause: failed.failure }) : failed",
      'return failed',
    ],
    [
      'a session whose key is out of reach ends its request without the id',
      '  call.id = findRequestId(value)\n',
      '',
    ],
  ),
  ...changesOf(
    'cache/session-notes.ts',
    ['test/rooms/cache/session-notes.test.ts'],
    [
      'a level takes the place of the end of its session',
      'note.isEnded ?? (await readSessionNote(nonce))?.isEnded',
      'note.isEnded',
    ],
  ),
  ...changesOf(
    'mcp/legacy/session.ts',
    ['test/rooms/mcp/legacy/session.test.ts'],
    [
      'a level puts off the next look at the notes',
      'if (session.log === undefined) this.#notesReadAt',
      'this.#notesReadAt',
    ],
  ),
  ...changesOf(
    'mcp/legacy/cancelled-calls.ts',
    ['test/rooms/mcp/legacy/cancellation.test.ts'],
    [
      'long ids of cancelled calls fill the memory',
      'if (key.length <= maxKeyLength) this.#running.set(',
      'this.#running.set(',
    ],
    [
      'a client displaces the cancellations of others',
      'if (this.#running.get(key) === undefined) return false',
      'if (this.#running.get(key) === undefined) this.begin(key)',
    ],
    [
      'a second call with an id clears the cancellation of the first',
      'this.#running.set(key, this.#running.get(key) ?? 0)',
      'this.#running.set(key, 0)',
    ],
  ),
  ...changesOf(
    'mcp/legacy/notification-stream.ts',
    ['test/rooms/mcp/legacy/session-subscriptions.test.ts'],
    [
      'subscriptions are read for each update after a change',
      'if (this.#knows(delivery)) return\n',
      '',
    ],
  ),
  ...changesOf(
    'serve/batch.ts',
    ['test/rooms/serve/legacy.test.ts'],
    [
      'every revision has batches',
      'call.revision?.hasBatches !== true || values.some(hasModernMeta)',
      'values.some(hasModernMeta)',
    ],
    ['a batch has messages of both eras', ' || values.some(hasModernMeta)', ''],
    ['only the first message of a batch is counted', 'from + index === 0 ?', 'from >= 0 ?'],
    ['the results of a batch may have any size', '(isFull && isAnswered(value) ?', '(false ?'],
    [
      'one large number refuses the whole batch',
      'hasInexact(value) ? inexact : undefined',
      'inexact',
    ],
    ['a notification in a batch gets a response', 'if (isAnswered(value)) return', 'return'],
    [
      '`initialize` may be in a batch',
      "return begins ? '`initialize` must not be in a batch. Send it alone.' : null",
      'return null',
    ],
  ),
  // mcp/questions
  ...changesOf(
    'mcp/questions/questions.ts',
    ['test/rooms/mcp/questions/questions.test.ts', 'test/spec/basic-mrtr.test.ts'],
    ['the state of one caller opens for another', "caller: call.callerDigest ?? ''", "caller: ''"],
    [
      'elicitation without a mode is no form',
      "'form' in modes || !('url' in modes)",
      "'form' in modes",
    ],
  ),
  ...changesOf(
    'mcp/questions/request-state.ts',
    ['test/rooms/mcp/questions/request-state.test.ts'],
    [
      'a state of other arguments opens',
      'toDigest([server, method, name, input, caller])',
      'toDigest([method, name, caller])',
    ],
    ['a state opens at its very end', 'expires <= now', 'expires < now'],
    ['one character fewer', 'length > maxSealedLength', 'length >= maxSealedLength'],
  ),
  ...changesOf(
    'mcp/questions/rounds.ts',
    ['test/rooms/mcp/questions/rounds.test.ts'],
    ['one round more', 'pass.state.round >= maxRounds', 'pass.state.round > maxRounds'],
    [
      'an answer to another wording is proven',
      'state.asked.get(key) === digest',
      'state.asked.has(key)',
    ],
    [
      'a kept answer to another wording counts',
      'if (saved?.digest === digest) return',
      'if (saved !== undefined) return',
    ],
    ['one pass more', 'pass.passes > maxPasses', 'pass.passes >= maxPasses'],
    [
      'each round has a new nonce',
      'nonce: state.nonce, asked, saved',
      'nonce: crypto.randomUUID(), asked, saved',
    ],
  ),

  // cache
  ...changesOf(
    'cache/cache-key.ts',
    ['test/rooms/cache/cache-key.test.ts', 'test/rooms/cache/listings-entrypoint.test.ts'],
    [
      'an entry that the partition does not see is made',
      'entry.isOpen || visible.includes(entry.key)',
      'entry.isOpen || visible.length > 0',
    ],
    [
      'a private result is cached for all',
      '...(!shared && { caller })',
      '...(shared && { caller })',
    ],
    [
      'a URL may be spelt otherwise',
      'request !== null && toCacheUrl(request) === url',
      'request !== null',
    ],
  ),
  ...changesOf(
    'cache/freshness.ts',
    ['test/rooms/cache/freshness.test.ts'],
    ['the time in a cache is not subtracted', 'Math.max(0, ttlMs - age * 1_000)', 'ttlMs'],
    ['a second that is left is not told', '...(leftMs < 1_000', '...(leftMs <= 1_000'],
    [
      'what is stored lives a whole ttl longer',
      'stale-while-revalidate=${stale}',
      'stale-while-revalidate=${toSeconds(ttlMs)}',
    ],
    [
      'a reply is stored by its tags',
      'etag !== undefined && { ETag: etag, ...tagged }',
      'etag !== undefined && { ETag: etag }',
    ],
  ),
  ...changesOf(
    'cache/listings-entrypoint.ts',
    ['test/rooms/cache/listings-entrypoint.test.ts'],
    ['a result that a purge overtook is stored', '>= madeAt', '> madeAt'],
  ),
  ...changesOf(
    'cache/purge.ts',
    ['test/rooms/cache/purge.test.ts'],
    [
      'a purge in another case is missed',
      'this.#times.get(tag.toLowerCase())',
      'this.#times.get(tag)',
    ],
    ['a long tag is dropped', '.slice(0, maxTag)', ''],
    [
      'all tools at once have no tag',
      'return [everyToolTag, toToolTag(name)]',
      'return [toToolTag(name)]',
    ],
    [
      'a forgotten purge is lost',
      '      this.#everything = Math.max(this.#everything, time)\n',
      '',
    ],
  ),
  ...changesOf(
    'cache/read-through.ts',
    ['test/rooms/cache/read-through.test.ts'],
    ['a second is too short', 'lifetime.ttlMs >= 1_000', 'lifetime.ttlMs > 1_000'],
    [
      'a URL of the greatest length is not cached',
      'url.length <= maxCacheUrlLength',
      'url.length < maxCacheUrlLength',
    ],
    ['a fault of the cache is hidden', "      context.log.error('cache', error)\n", ''],
  ),
  ...changesOf(
    'cache/colo-store.ts',
    ['test/rooms/cache/request-collapser.test.ts'],
    [
      'a result that is not for all is shared',
      'value !== null && this.#isForAll(value)',
      'value !== null',
    ],
    ['a run that failed is waited for again', '      this.#forget(key, other)\n', ''],
    ['a newer run is forgotten', 'if (this.#running.get(key) === work) this', 'this'],
  ),
  ...changesOf(
    'cache/stored-response.ts',
    ['test/rooms/cache/stored-response.test.ts'],
    ['errors are stored', 'errorId !== undefined || isErrorResult(members)', 'false'],
    [
      'an unknown resource does not replace the cached one',
      "kind === 'resource-not-found' || kind === 'invalid-params'",
      "kind === 'invalid-params'",
    ],
    [
      'a fault purges like what is gone',
      'isGone(outcome) ? 404 : 500',
      'isGone(outcome) ? 500 : 404',
    ],
    [
      'a clock that runs behind makes a negative age',
      'Math.max(0, Math.floor((Date.now() - madeAt) / 1_000))',
      'Math.floor((Date.now() - madeAt) / 1_000)',
    ],
  ),
  ...changesOf(
    'cache/colo-store.ts',
    ['test/rooms/cache/colo-store.test.ts'],
    ['callers share a key', 'toDigest([version, partition])', 'toDigest([version])'],
    ['deploys share a key', 'toDigest([version, partition])', 'toDigest([partition])'],
    ['a run from before the purge is waited for', '`${purgedAt} ${key}`', 'key'],
    [
      'a result from the moment of the purge is served',
      'found.madeAt <= purgedAt',
      'found.madeAt < purgedAt',
    ],
    ['stale results are served for ever', 'ageMs >= ttlMs + staleMs', 'ageMs >= Infinity'],
    [
      'stale results are not refreshed',
      '    if (ageMs >= ttlMs) {\n',
      '    if (ageMs < ttlMs) {\n',
    ],
    [
      'what is gone stays',
      'else if (isGone(outcome)) await cache.delete(key)',
      'else if (isGone(outcome)) await cache.match(key)',
    ],
  ),
  ...changesOf(
    'cache/workers-store.ts',
    ['test/rooms/cache/workers-store.test.ts'],
    ['a stale result counts as computed', "'UPDATING', 'STALE', ", "'UPDATING', "],
    ['a purge is not noted', '    this.#purges.add(tags)\n', ''],
    ['the missing entrypoint is warned of each time', '      this.#hasWarned = true\n', ''],
  ),

  // auth/request
  ...changesOf(
    'auth/request/guard.ts',
    ['test/rooms/auth/guard.test.ts', 'test/rooms/auth/caller-digest.test.ts'],
    ['callers of two issuers are one', '[issuer ?? null, subject]', '[subject]'],
    ['anybody may come without credentials', 'if (auth.allowsAnonymous) return', 'return'],
    ['a caller needs no subject', 'if (!isName(subject)) throw', 'if (false) throw'],
    ['a scope may be anything', '!isTextList(granted)', '!Array.isArray(granted)'],
    [
      'credentials that have expired are good',
      'until <= Date.now()',
      '(caller.expires ?? Infinity) <= 0',
    ],
    [
      'metadata without an authorization server',
      'authorizationServers.length === 0',
      'authorizationServers.length < 0',
    ],
  ),
  ...changesOf(
    'auth/request/challenge.ts',
    ['test/rooms/auth/guard.test.ts', 'test/spec/basic-authorization.test.ts'],
    [
      'an anonymous caller lacks scopes',
      '  if (caller === null) return toUnauthorized(challenged)\n',
      '',
    ],
    ['concealed scopes are told of', 'entries.filter(({ conceal }) => !conceal)', 'entries'],
    [
      'the first sign-in asks for all scopes',
      'reading.length > 0 ? reading : toScopes(tools)',
      'toScopes(tools)',
    ],
    ['a bad token is a malformed request', "error: 'invalid_token'", "error: 'invalid_request'"],
  ),
  ...changesOf(
    'auth/request/challenge.ts',
    ['test/rooms/auth/challenge.test.ts'],
    ['clients are told to ask for offline_access', "scope !== 'offline_access' && ", ''],
    ['a quote ends the value', `.replaceAll('"', "'")`, ''],
  ),
  ...changesOf(
    'auth/request/request-limit.ts',
    ['test/rooms/auth/request-limit.test.ts'],
    [
      'a request is let through where it should be refused',
      "whenUnreachable === 'allow'",
      "whenUnreachable === 'refuse'",
    ],
    ['Retry-After is lost', "    'Retry-After': String(retryAfter),\n", ''],
  ),
  ...changesOf(
    'auth/request/request-limit.ts',
    ['test/rooms/auth/asked-tokens.test.ts'],
    ['refusals are not counted', 'if (isRefused) count.refused += 1', ''],
    ['a parallel flood is not counted', '        count.asking += 1\n', ''],
  ),
  ...changesOf(
    'serve/fetch.ts',
    ['test/rooms/serve/fetch.test.ts'],
    ['others are asked over the limit', '  guard?.block(address, limited.retryAfter)\n', ''],
  ),
  ...changesOf(
    'auth/request/resource-metadata.ts',
    ['test/rooms/auth/resource-metadata.test.ts'],
    [
      'the path of the endpoint is lost',
      "origin + wellKnown + (pathname === '/' ? '' : pathname)",
      'origin + wellKnown',
    ],
    [
      'scopes are always there',
      '...(scopes.length > 0 && { scopes_supported: scopes })',
      'scopes_supported: scopes',
    ],
  ),

  // auth/tokens
  ...changesOf(
    'auth/tokens/claims.ts',
    ['test/rooms/auth/audience.test.ts'],
    ['all audiences must fit', 'audiences.some(', 'audiences.every('],
  ),
  ...changesOf(
    'auth/tokens/asked-tokens.ts',
    [
      'test/rooms/auth/asked-tokens.test.ts',
      'test/rooms/auth/introspection.test.ts',
      'test/rooms/auth/api-keys.test.ts',
    ],
    ['a caller is kept beyond its expiry', 'Math.min(until, toExpiry(result.caller))', 'until'],
    [
      'a caller is kept at its very expiry',
      'known.until > Date.now()',
      'known.until >= Date.now()',
    ],
    ['each of parallel requests asks', 'question === undefined ||', 'question !== null ||'],
    ['refused tokens evict good ones', 'this.#refused.set(digest', 'this.#good.set(digest'],
  ),
  ...changesOf(
    'auth/tokens/claims.ts',
    ['test/rooms/auth/claims.test.ts'],
    ['the client that signed in is the authorized party', '[clientId, azp]', '[azp, clientId]'],
    ['seconds count as milliseconds', '? exp * 1000', '? exp'],
    ['a subject may be empty', 'if (!isName(sub)) return', "if (typeof sub !== 'string') return"],
  ),
  ...changesOf(
    'auth/tokens/fetch-json.ts',
    ['test/rooms/auth/fetch-json.test.ts'],
    ['a redirect is followed', "redirect: 'manual'", "redirect: 'follow'"],
    ['any success is taken', 'response.status !== 200', '!response.ok'],
    [
      'plain http is secure anywhere',
      "url?.protocol === 'http:' && isLoopback(url)",
      "url?.protocol === 'http:'",
    ],
  ),
  ...changesOf(
    'auth/tokens/issuer-metadata.ts',
    ['test/rooms/auth/issuer-metadata.test.ts'],
    ['metadata of another issuer is taken', 'actual !== issuer', 'actual === undefined'],
    [
      'OpenID comes first',
      '      `${origin}/.well-known/oauth-authorization-server${path}`,\n      `${origin}/.well-known/openid-configuration${path}`,\n',
      '      `${origin}/.well-known/openid-configuration${path}`,\n      `${origin}/.well-known/oauth-authorization-server${path}`,\n',
    ],
  ),
  ...changesOf(
    'auth/tokens/jwks.ts',
    ['test/rooms/auth/jwks.test.ts', 'test/rooms/auth/jwt.test.ts'],
    [
      'keys are fetched for each token',
      'Date.now() - this.#keys.fetchedAt <= maxAgeMs',
      'Date.now() - this.#keys.fetchedAt < 0',
    ],
    ['a flood of unknown keys reaches the issuer', '      if (age < pause) return\n', ''],
    ['one broken key stops the others', 'if (usable.length === 0) throw', 'throw'],
    [
      'keys that could not be refreshed are dropped',
      '      this.#failure = error\n',
      '      this.#failure = error\n      this.#keys = null\n',
    ],
  ),
  ...changesOf(
    'auth/tokens/jwt-verifier.ts',
    ['test/rooms/auth/jwt.test.ts'],
    ['a token needs no expiry', "requiredClaims: ['exp', 'sub']", "requiredClaims: ['sub']"],
    ['a token of any type is taken', 'accessTokenTypes.has(type.toLowerCase())', 'type.length > 0'],
    [
      'a remembered token never expires',
      'return checkExpiry(verified.claims)',
      'return verified.claims',
    ],
    [
      'a remembered token lives one instant longer',
      'expires * 1000 > Date.now()',
      'expires * 1000 >= Date.now()',
    ],
    [
      'a token outlives the keys that signed it',
      'if (verified?.keys === keys)',
      'if (verified !== undefined)',
    ],
  ),
  ...changesOf(
    'auth/tokens/scopes.ts',
    ['test/rooms/auth/scopes.test.ts'],
    ['an empty scope is held', ".filter((scope) => scope !== '')", ''],
    [
      'what an implied scope implies is not held',
      'for (const scope of held)',
      'for (const scope of granted)',
    ],
  ),

  // auth
  ...changesOf(
    'auth/tokens/api-key-lookup.ts',
    ['test/rooms/auth/api-keys.test.ts'],
    ['a key works at its very expiry', '<= Date.now()', '< Date.now()'],
    ['a key without an expiry has expired', 'caller.expires ?? Infinity', 'caller.expires ?? 0'],
  ),
  ...changesOf(
    'auth/cloudflare-access.ts',
    ['test/rooms/auth/cloudflare-access.test.ts'],
    ['a service token has no subject', "sub === '' ? service : sub", 'sub'],
  ),
  ...changesOf(
    'auth/custom.ts',
    ['test/rooms/auth/custom.test.ts'],
    [
      'refused credentials are anonymous',
      "context.headers.has('Authorization')",
      "!context.headers.has('Authorization')",
    ],
  ),
  ...changesOf(
    'auth/introspection.ts',
    ['test/rooms/auth/introspection.test.ts'],
    [
      'a caller is remembered for every resource',
      '`${toBase64Url(await toTokenDigest(token))} ${context.resource}`',
      'toBase64Url(await toTokenDigest(token))',
    ],
    ['any active is active', "claims['active'] !== true", "!claims['active']"],
  ),
  ...changesOf(
    'auth/oauth-provider.ts',
    ['test/rooms/auth/oauth-provider.test.ts'],
    ['seconds count as milliseconds', '? expiresAt * 1000', '? expiresAt'],
    ['granted scopes imply none', 'expandScopes(scope, scopes)', 'scope'],
  ),

  // state
  ...changesOf(
    'state/handle-id.ts',
    [
      'test/rooms/state/own-handle.test.ts',
      'test/rooms/state/handle-refusals.test.ts',
      'test/rooms/state/handle-crossing.test.ts',
    ],
    [
      'all own handles of a caller are one',
      "JSON.stringify(['own', kind.name, caller])",
      "JSON.stringify(['own', caller])",
    ],
    [
      'all callers have one own handle',
      "JSON.stringify(['own', kind.name, caller])",
      "JSON.stringify(['own', kind.name])",
    ],
  ),
  ...changesOf(
    'state/handles.ts',
    [
      'test/rooms/state/handles.test.ts',
      'test/rooms/state/handle-index.test.ts',
      'test/rooms/state/open-uses.test.ts',
    ],
    [
      'a handle that did not start stays in the index',
      '    await removeFromIndex(context, kind, objectId)\n    throw error',
      '    throw error',
    ],
    [
      'an ended handle stays in the index',
      '=> object.end(address))\n      await removeFromIndex(context, kind, objectId)',
      '=> object.end(address))',
    ],
    [
      'an optional handle without an id is opened',
      "id !== undefined || used.handle.scope === 'caller'",
      'true',
    ],
    ['a full index is no limit', 'if (!isAdded) throw', 'if (isAdded === undefined) throw'],
  ),
  ...changesOf(
    'state/hub.ts',
    ['test/rooms/state/hub.test.ts', 'test/rooms/state/hub-announcement.test.ts'],
    [
      'only the first shard publishes',
      'await Promise.all(all().map((hub) => hub.publish(event)))',
      'await shard(0).publish(event)',
    ],
    [
      'a failed announcement is not made again',
      '    } catch {\n      this.isDone = false\n    }',
      '    } catch {}',
    ],
  ),
  ...changesOf(
    'state/limits.ts',
    ['test/rooms/state/limits.test.ts', 'test/rooms/mcp/tool-limits.test.ts'],
    [
      'places and tokens share an object',
      "takeLease: (key, id, rule) => open('parallel', key)",
      "takeLease: (key, id, rule) => open('limit', key)",
    ],
  ),
  ...changesOf(
    'state/notify.ts',
    ['test/rooms/state/notify.test.ts'],
    [
      'listeners come before the purge',
      "      await tryPurge({ resources: [uri] })\n      await hub().publish({ kind: 'resource-updated', uri: key, needs })",
      "      await hub().publish({ kind: 'resource-updated', uri: key, needs })\n      await tryPurge({ resources: [uri] })",
    ],
    ['a change of tools leaves their results', "tools: { tools: 'all' }", 'tools: {}'],
  ),
  ...changesOf(
    'state/state-key.ts',
    ['test/rooms/state/state-key.test.ts'],
    ['a new key is not read', 'read?.text !== text', 'read === null'],
    [
      'a failed fetch is kept',
      'pending = fetching.then(doNothing, doNothing)',
      'pending = fetching.then(doNothing)',
    ],
  ),
  ...changesOf(
    'state/state.ts',
    ['test/rooms/cache/purging.test.ts'],
    [
      'a purge of what is not there is silent',
      'if (mistake !== null) throw',
      'if (mistake === undefined) throw',
    ],
  ),

  // objects
  ...changesOf(
    'objects/handle-expiry.ts',
    ['test/rooms/state/handle-expiry.test.ts', 'test/rooms/state/own-handle.test.ts'],
    [
      'an expiry that fails deletes at once',
      '(await this.#runOnExpire(record)) || delayMs === undefined',
      '(await this.#runOnExpire(record)) || delayMs !== undefined',
    ],
    [
      'an expiry that fails is retried for ever',
      '(await this.#runOnExpire(record)) || delayMs === undefined',
      'await this.#runOnExpire(record)',
    ],
    [
      'a new handle forgets the expired one whose onExpire failed',
      'for (const [key, entry] of expired) this.#storage.kv.put(key, entry)',
      'for (const [key, entry] of expired) this.#storage.kv.get(key + String(entry))',
    ],
  ),
  ...changesOf(
    'objects/handle-index.ts',
    ['test/rooms/state/handle-index.test.ts'],
    [
      'one handle more than allowed',
      'if (this.#entries(kind).length >= limit) return false',
      'if (this.#entries(kind).length > limit) return false',
    ],
    ['the newest handle comes first', 'a.createdAt - b.createdAt', 'b.createdAt - a.createdAt'],
    [
      'an index without handles stays',
      'if (times.length === 0) await this.#storage.deleteAll()',
      'if (times.length === 0) return',
    ],
  ),
  ...changesOf(
    'objects/handle-access.ts',
    ['test/rooms/state/handle-record.test.ts'],
    ['a handle is usable at its very end', 'now < toExpiry(record)', 'now <= toExpiry(record)'],
    [
      'a handle is for everybody',
      'record.caller === null || record.caller === caller',
      'record.caller === null || caller !== null',
    ],
  ),
  ...changesOf(
    'objects/handle-expiry.ts',
    ['test/rooms/state/handle-record.test.ts'],
    [
      'a handle outlives its max',
      'Math.min(usedAt + idleMs + toUseInterval(idleMs), endsAt)',
      'usedAt + idleMs + toUseInterval(idleMs)',
    ],
  ),
  ...changesOf(
    'objects/stored-claim.ts',
    ['test/rooms/state/claims.test.ts'],
    [
      'a second result replaces the first',
      '    if (readParts(this.#storage.kv, partPrefix) !== null) return\n',
      '',
    ],
    [
      'a claim is kept for ever',
      'else await this.#storage.deleteAll()',
      'else await this.#storage.setAlarm(Date.now() + graceMs)',
    ],
    [
      'a claimed run runs again',
      'if (found !== null) return found',
      'if (found === undefined) return found',
    ],
  ),
  ...changesOf(
    'objects/stored-handle.ts',
    [
      'test/rooms/state/handles.test.ts',
      'test/rooms/state/handle-cost.test.ts',
      'test/rooms/state/handle-refusals.test.ts',
    ],
    [
      'reading does not keep a handle alive',
      '      if (record !== null) this.#touch(record)\n      return state',
      '      return state',
    ],
    [
      'anybody may end a handle',
      'this.#inTransaction(() => void this.#find(kind, caller))',
      'this.#inTransaction(() => undefined)',
    ],
    ['each use writes', 'if (isUseDue(record, now)) this', 'this'],
  ),
  ...changesOf(
    'objects/stored-limit.ts',
    [
      'test/rooms/state/token-bucket.test.ts',
      'test/rooms/state/call-leases.test.ts',
      'test/rooms/state/limits.test.ts',
    ],
    ['one call fewer', 'if (free < perMs)', 'if (free <= perMs)'],
    ['a limit may be too large to count', 'if (tokens * perMs <= maxParts)', 'if (tokens > 0)'],
    ['one parallel call more', 'running.length < most', 'running.length <= most'],
    ['a place lives one instant longer', 'now < until', 'now <= until'],
    [
      'a clock that goes back gives tokens',
      'Math.max(0, now - bucket.at)',
      'Math.abs(now - bucket.at)',
    ],
    [
      'the wait is rounded down',
      'Math.ceil((perMs - free) / tokens)',
      'Math.floor((perMs - free) / tokens)',
    ],
    [
      'a refused call is stored',
      'if (reply.allowed) this.#storage.kv.put(bucketKey, bucket)',
      'this.#storage.kv.put(bucketKey, bucket)',
    ],
  ),
  ...changesOf(
    'objects/hub-listener.ts',
    ['test/rooms/state/hub-listener.test.ts'],
    [
      'a change reaches who lacks its scopes',
      '    if (!hasScopes(listener, event.needs)) continue\n',
      '',
    ],
    ['one keep-alive that is late ends the stream', '2 * keepAliveMs, until', 'keepAliveMs, until'],
  ),
  ...changesOf(
    'objects/bridge-session.ts',
    ['test/rooms/state/bridge-session.test.ts'],
    ['a session that has ended goes on', "    if (record.isEnded) return { kind: 'ended' }\n", ''],
    ['keys are counted as characters', 'keys.length + escaped * 5', 'keys.length'],
  ),
  ...changesOf(
    'objects/bridge-calls.ts',
    ['test/rooms/state/bridge-session.test.ts'],
    ['a cancellation that came first is lost', '    this.#recent.set(call, Date.now())\n', ''],
    ['a session that ended first has not ended', "    if (isEnded()) send([ours], 'ended')\n", ''],
  ),
  ...changesOf(
    'objects/hub-object.ts',
    ['test/rooms/state/hub-sessions.test.ts'],
    ['an older version of subscriptions counts', 'version > (listener.version ?? -1)', 'true'],
    ['a session has two streams', '    if (session !== undefined) this.endSession(session)\n', ''],
  ),
  ...changesOf(
    'objects/hub-object.ts',
    ['test/rooms/state/hub-announcement.test.ts', 'test/rooms/state/hub.test.ts'],
    ['the first registry is a change', 'digests.length === 0 ? 0 : now', 'now'],
    ['a new key each time', "    kv.put('state-key', key)\n", ''],
    [
      'listeners that are gone count for their caller',
      'this.#members(digest).filter((member) => this.#deadlineOf(member) > now)',
      'this.#members(digest)',
    ],
  ),

  // out
  ...changesOf(
    'out/audit.ts',
    ['test/rooms/out/audit.test.ts', 'test/rooms/serve/audited.test.ts'],
    ['arguments are always written', 'hasArguments ? toArguments', 'true ? toArguments'],
    ['bytes are characters', 'ascii.test(text) ? text.length', 'true ? text.length'],
    ['a failed tool is complete', "isErrorResult(members) ? 'isError' : 'complete'", "'complete'"],
    [
      'a secret in a long name is cut, not masked',
      'sanitizer.text(text).slice(0, maxText)',
      'text.slice(0, maxText)',
    ],
    [
      'a client that is refused for its revision has that of the server',
      'requested ?? findRevision(call)',
      'findRevision(call)',
    ],
  ),
  ...changesOf(
    'out/hidden-characters.ts',
    ['test/rooms/out/hidden-characters.test.ts'],
    [
      'a joiner after each Arabic letter',
      '`(?<=${before})\\\\u200D(?!${after})`',
      '`(?<=${before})\\\\u200D`',
    ],
    ['isolates around each letter', 'return isTrue && isWhole', 'return isTrue'],
    [
      'variants that no Han character has',
      'base === undefined || compatibilityForms().has(base + selector)',
      'true',
    ],
  ),
  ...changesOf(
    'out/log.ts',
    ['test/leaks/log.test.ts'],
    [
      'lines of the log are not masked',
      'this.print(severity, line(toJson(all)))',
      'this.print(severity, toJson(all))',
    ],
  ),
  ...changesOf(
    'out/log.ts',
    ['test/rooms/out/log.test.ts'],
    [
      'the cause of an error is not cleaned',
      'copy.cause = toLoggableValue(cause, sanitizer, causes - 1)',
      'copy.cause = cause',
    ],
    ['causes without end', 'causes === 0', 'causes < 0'],
  ),
  ...changesOf(
    'out/mask.ts',
    ['test/rooms/out/mask.test.ts'],
    ['a short secret is masked first', 'b.length - a.length', 'a.length - b.length'],
    [
      'only the right password of a URL is masked',
      'login === null ? toSource(secret) : toLoginSource(secret, login)',
      'toSource(secret)',
    ],
  ),
  ...changesOf(
    'out/secrets.ts',
    ['test/rooms/out/secrets.test.ts'],
    [
      'a password of a dictionary confirms a guess',
      'if (estimateBits(text, wordBits) < minBits || new',
      'if (new',
    ],
    ['parts of a secret are sent', 'isSecret ? [text, ...parts] : []', 'isSecret ? [text] : []'],
    ['what wrangler.toml declares is a secret', '[...rules.vars, ...rules.public]', 'rules.public'],
  ),
  ...changesOf(
    'out/print.ts',
    ['test/leaks/streams.test.ts'],
    [
      'progress and messages are not sanitised',
      'json(JSON.stringify(texts)).slice(1, -1)',
      'JSON.stringify(texts).slice(1, -1)',
    ],
  ),
  ...changesOf(
    'out/print.ts',
    ['test/rooms/out/print.test.ts'],
    [
      'errors are not sanitised',
      'json(JSON.stringify({ code, message, data }))',
      'JSON.stringify({ code, message, data })',
    ],
    ['questions are a complete result', "isResult ? 'complete' : 'input_required'", "'complete'"],
  ),
  ...changesOf(
    'out/sanitizer.ts',
    ['test/rooms/out/sanitizer.test.ts'],
    ['secrets of another env are masked', 'if (last?.env !== env) {', 'if (last === null) {'],
    ['a tool may unmask secrets', 'mask(own(dirty).toWellFormed())', 'own(dirty).toWellFormed()'],
    [
      'clean JSON is not masked',
      'isCleanJson(dirty) && secretMask.isClean(dirty)',
      'isCleanJson(dirty)',
    ],
  ),
  ...changesOf(
    'out/sanitizer.ts',
    ['test/rooms/serve/masked.test.ts'],
    [
      'a key may replace another',
      'if (changedKeys.size > 0) checkKeys',
      'if (changedKeys.size < 0) checkKeys',
    ],
    ['a mask breaks a schema', '!keeps(dirty) ? text', 'true ? text'],
  ),
  ...changesOf(
    'mcp/tool-result.ts',
    ['test/rooms/serve/masked.test.ts'],
    [
      'a masked result is not checked again',
      'json === exact ? result() : recheck(checkOutput, value, exact, settings).then(result)',
      'result()',
    ],
  ),
  ...changesOf(
    'out/stream.ts',
    ['test/rooms/out/stream.test.ts'],
    ['a stream keeps its timer', 'if (this.#timer !== null) clearTimeout(this.#timer)', ''],
    [
      'a slow reader fills the memory',
      'if (this.backlog() < maxBacklog) this.#write',
      'this.#write',
    ],
  ),
  ...changesOf(
    'out/trace.ts',
    ['test/rooms/out/trace.test.ts'],
    [
      'a trace of zeros is a trace',
      'zeros.test(traceId) || zeros.test(parentId)',
      'zeros.test(traceId) && zeros.test(parentId)',
    ],
    ['one member fewer', 'members.length > maxStateMembers', 'members.length >= maxStateMembers'],
    [
      'unknown flags are sent on',
      '(Number.parseInt(flags, 16) & knownFlags)',
      'Number.parseInt(flags, 16)',
    ],
  ),
  ...changesOf(
    'out/stream.ts',
    ['test/rooms/mcp/call.test.ts'],
    [
      'a client that went before is not noticed',
      '    if (signal.aborted) gone.abort(signal.reason)\n',
      '',
    ],
  ),
  ...changesOf(
    'state/handle-id.ts',
    ['test/rooms/define/handle.test.ts'],
    ['an id of any length is an id', 'bytes?.length === idBytes', 'bytes !== null'],
  ),

  // define
  ...changesOf(
    'define/elicitation.ts',
    ['test/rooms/define/questions.test.ts'],
    [
      'a link may have a password',
      "username !== '' || password !== ''",
      "username !== '' && password !== ''",
    ],
    [
      'an answer that nobody asked for counts',
      "options?.unasked ?? 'ignore',\n    async read",
      "options?.unasked ?? 'accept',\n    async read",
    ],
  ),
  ...changesOf(
    'define/sampling.ts',
    ['test/rooms/define/questions.test.ts'],
    ['a root may be anywhere', " || !uri.startsWith('file://')", ''],
    ['tools go to every client', "(['sampleTools'] as const)", '[]'],
  ),
  ...changesOf(
    'define/question.ts',
    ['test/rooms/define/questions.test.ts'],
    ['a Date is carried as text', '    isPlain(value) &&\n', ''],
  ),
  ...changesOf(
    'define/handle-problems.ts',
    ['test/rooms/define/handle.test.ts'],
    [
      'max may be as long as idle no more',
      'toMilliseconds(max) < idleMs',
      'toMilliseconds(max) <= idleMs',
    ],
    [
      'no handle at all is a limit',
      'Number.isSafeInteger(perCaller) && Number(perCaller) > 0',
      'Number.isSafeInteger(perCaller)',
    ],
  ),
  ...changesOf(
    'define/handle-kind.ts',
    ['test/rooms/define/handle.test.ts'],
    [
      'the tool that the handle names is ignored',
      '  if (kind.createdBy !== null) return kind.createdBy\n',
      '',
    ],
  ),

  // schema
  ...changesOf(
    'schema/form-answer.ts',
    ['test/rooms/schema/form-answer.test.ts'],
    ['a number at its maximum is refused', 'size > max)', 'size >= max)'],
    ['a required field may be blank', '&& !required.includes(name)', ''],
    ['a legal blank counts as absent', '|| !isRemoved(name, value)', ''],
    ['a reason is as long as the answer', 'text.length > longestReason', 'false'],
    [
      'a text of the greatest length is not matched',
      'text.length <= longestMatched',
      'text.length < longestMatched',
    ],
    ['an inherited member is an answer', ' || !Object.hasOwn(content, name)', ''],
    ['a pair counts as two characters', 'Array.from(text).length', 'text.length'],
  ),
  ...changesOf(
    'schema/form-schema.ts',
    ['test/rooms/schema/form-schema.test.ts'],
    [
      'an exclusive minimum is inclusive',
      'Math.floor(exclusiveMinimum) + 1',
      'Math.floor(exclusiveMinimum)',
    ],
    ['the looser bound counts', 'const low = Math.max(', 'const low = Math.min('],
    ['an untitled choice has no title', 'title = value }) =>', 'title }) =>'],
  ),
  ...changesOf(
    'schema/issues.ts',
    ['test/rooms/schema/issues.test.ts'],
    [
      'an exclusive bound reads as inclusive',
      "issue['inclusive'] === false ? exclusive : inclusive",
      'inclusive',
    ],
    ['a message of the author is replaced', 'if (stock.test(message)) return true', 'return true'],
  ),
  ...changesOf(
    'util/excerpt.ts',
    ['test/rooms/util/excerpt.test.ts'],
    ['half a character stays', '? most - 1 : most', '? most : most'],
  ),
  ...changesOf(
    'schema/zod-patterns.ts',
    ['test/rooms/schema/zod-patterns.test.ts'],
    ['matches of zod are free', 'if (isChecking) budget.spend', 'if (false) budget.spend'],
    ['a pattern with m has an anchor', 'pattern.multiline ?', 'false ?'],
    ['lazy schemas are left out', "[zod['innerType'], ...", '[...'],
  ),
  ...changesOf(
    'schema/zod-patterns.ts',
    ['test/rooms/schema/zod-unions.test.ts'],
    [
      'unions that refer to themselves are not bounded',
      'if (isUnion && isRecursive(part))',
      'if (false)',
    ],
  ),
  ...changesOf(
    'out/secrets.ts',
    ['test/rooms/out/secrets.test.ts'],
    ['an escaped line break is part of a key', '(?:\\\\[nrt]|', '(?:'],
  ),
  ...changesOf(
    'schema/sentences.ts',
    [
      'test/rooms/schema/issues.test.ts',
      'test/rooms/schema/sentences.test.ts',
      'test/rooms/schema/json-schema/problems.test.ts',
    ],
    ['a third level of forms', 'level > maxLevels', 'level > maxLevels + 1'],
    ['any number of characters', 'characters + sentence.length <= maxCharacters', 'true'],
    ['one problem fewer', 'sentences.size < maxSentences', 'sentences.size < maxSentences - 1'],
    ['two of something is one', "Number(limit) === 1 ? '' : 's'", "Number(limit) === 1 ? 's' : ''"],
    ['the likely form is one without its tag', 'tagged.length > 0 ? tagged : inside', 'inside'],
  ),
  ...changesOf(
    'schema/check.ts',
    ['test/rooms/schema/check.test.ts'],
    [
      'a rejected value is taken',
      'checked.ok ? { ok: true, value } : checked',
      '{ ok: true, value }',
    ],
  ),

  // schema/json-schema
  ...changesOf(
    'schema/json-schema/check.ts',
    [
      'test/rooms/schema/json-schema/check.test.ts',
      'test/rooms/schema/json-schema/references.test.ts',
    ],
    [
      'a large value gets no more steps than a small one',
      '* stepsPerMember, maxSteps)',
      ', firstSteps)',
    ],
    [
      'what a failing schema knows is left over',
      'fitsAll(compiled.rules, own, holds) && fitsAll(compiled.restRules, own, holds)',
      '[fitsAll(compiled.rules, own, holds), fitsAll(compiled.restRules, own, holds)].every(Boolean)',
    ],
    [
      'a failing branch counts as evaluated',
      'if (fits && own.evaluated !== null)',
      'if (own.evaluated !== null)',
    ],
    [
      'a schema sees what its neighbours evaluated',
      'isRecorded ? new EvaluatedMembers() : null',
      'isRecorded ? (evaluated ?? new EvaluatedMembers()) : null',
    ],
  ),
  ...changesOf(
    'schema/json-schema/rules.ts',
    ['test/rooms/schema/json-schema/check.test.ts', 'test/rooms/schema/check.test.ts'],
    [
      'a problem stops the list of problems',
      'if (visit.isDecided) return false\n      isFitting = false',
      'return false',
    ],
    ['keys are free', '  budget.spend(names.length)\n', ''],
    [
      'what is undefined is a member',
      'Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined)',
      'Object.keys(value)',
    ],
  ),
  ...changesOf(
    'schema/json-schema/assertions.ts',
    [
      'test/rooms/schema/json-schema/check.test.ts',
      'test/rooms/schema/json-schema/problems.test.ts',
    ],
    ['equal items may come twice', 'if (value !== true) return null', 'return null'],
    [
      'each required field is missing',
      'names.filter((name) => !hasMember(value, name))',
      '[...names]',
    ],
  ),
  ...changesOf(
    'schema/json-schema/references.ts',
    ['test/rooms/schema/json-schema/references.test.ts'],
    ['a slash in a name is not read', ".replaceAll('~1', '/')", ''],
    [
      'any schema with the anchor is dynamic',
      "const isAnchored = typeof name === 'string' && reference.endsWith(`#${name}`)",
      "const isAnchored = typeof name === 'string'",
    ],
  ),
  ...changesOf(
    'schema/json-schema/applicators.ts',
    ['test/rooms/schema/json-schema/references.test.ts'],
    [
      'the innermost resource decides',
      'found = byBase.get(at.base) ?? found',
      'found ??= byBase.get(at.base)',
    ],
  ),
  ...changesOf(
    'schema/json-schema/keywords.ts',
    ['test/rooms/schema/check.test.ts'],
    ['draft 7 is unknown', ".replace(/#$/, '')", ''],
  ),
  ...changesOf(
    'schema/json-schema/pattern-guard.ts',
    [
      'test/rooms/schema/json-schema/check.test.ts',
      'test/rooms/build/schema/pattern-safety.test.ts',
    ],
    [
      'an anchored pattern costs as much as a search',
      'isAnchored ? loops :',
      '!isAnchored ? loops :',
    ],
  ),

  ...changesOf(
    'serve/read-body.ts',
    ['test/rooms/serve/read-body.test.ts'],
    ['a body that was read is broken', 'if (request.bodyUsed) return readBefore\n', '\n'],
    [
      'a slow body is read for ever',
      'setTimeout(stop, waitMs, late)',
      'setTimeout(stop, 1e9, late)',
    ],
  ),
  ...changesOf(
    'mcp/request-headers.ts',
    ['test/rooms/mcp/envelope.test.ts'],
    ['one good version of two is enough', "header.split(',').every(", "header.split(',').some("],
  ),

  ...changesOf(
    'build/schema/object-root.ts',
    ['test/rooms/build/schema/object-root.test.ts'],
    [
      'a union with a schema for texts is for objects alone',
      'parts[how](isFor)',
      'parts.some(isFor)',
    ],
    [
      'a reference to the root means objects alone',
      'isWhole ? schema : detachRoot(schema)',
      'schema',
    ],
  ),

  // protocol
  ...changesOf(
    'protocol/uri-template.ts',
    ['test/rooms/protocol/uri-template.test.ts'],
    ['an upper-case %2F is part of a value', '|%2f/i', '|%2f/'],
    ['a value may begin with a slash', '/^\\/|%2f/i', '/%2f/i'],
    ['the delimiter after a value is part of it', 'findDelimiter(parts, index + 1)', "''"],
    ['an empty parameter is a value', "text === undefined || text === ''", 'text === undefined'],
    ['a parent folder is a value', "segment === '.' || segment === '..'", "segment === '.'"],
    [
      'a parameter may come twice',
      '!names.includes(name) || found.has(name)',
      '!names.includes(name)',
    ],
  ),
  ...changesOf(
    'protocol/uri.ts',
    ['test/rooms/protocol/uri.test.ts', 'test/rooms/protocol/uri-template.test.ts'],
    ['the longest URI is too long', 'text.length > longestUri', 'text.length >= longestUri'],
    [
      'the case of a scheme makes another URI',
      'uri.slice(0, end).toLowerCase()',
      'uri.slice(0, end)',
    ],
    ['an escaped letter makes another URI', '/[\\w.~-]/.test(character)', 'false'],
    ['a hidden parent folder is a segment', 'dotSegment.test(normal) ? null : normal', 'normal'],
  ),
  ...changesOf(
    'mcp/guarded-resources.ts',
    ['test/rooms/mcp/guarded-resources.test.ts'],
    ['`visible` is a guard like any other', '!guarded.conditional && ', ''],
    [
      'an escape in an escape hides a name',
      "replaceAll(/%(?:25)+/g, '%')",
      "replaceAll(/%(?:25)/g, '%25')",
    ],
    [
      'a template with one URI in common lies within',
      'samples.every(isMatched)',
      'samples.some(isMatched)',
    ],
    [
      'another parameter makes another resource',
      'parameters.some((parameter) =>',
      'parameters.every((parameter) =>',
    ],
  ),
  ...changesOf(
    'protocol/caller.ts',
    ['test/rooms/mcp/visibility.test.ts'],
    ['one scope of many is enough', 'needed.every(', 'needed.some('],
  ),
  ...changesOf(
    'protocol/failure.ts',
    [
      'test/rooms/protocol/failure.test.ts',
      'test/rooms/serve/respond.test.ts',
      'test/rooms/serve/list-documents.test.ts',
      'test/rooms/auth/guard.test.ts',
      'test/spec/basic-authorization.test.ts',
    ],
    ['a bad cursor of a document is a fault', "cause.kind === 'invalid-params' ? 400 : 500", '500'],
    ['machines learn no versions', 'return { supported: supportedVersions }', 'return undefined'],
    ['credentials that cannot be checked are wrong', 'status: 503,', 'status: 401,'],
    ['a challenge is lost', "return { headers: { 'WWW-Authenticate': challenge } }", 'return {}'],
  ),
  ...changesOf(
    'protocol/input-request.ts',
    ['test/rooms/protocol/input-request.test.ts'],
    [
      'a cancelled question is unreadable',
      "action === 'decline' || action === 'cancel'",
      "action === 'decline'",
    ],
  ),

  // util
  ...changesOf(
    'util/address.ts',
    ['test/rooms/util/address.test.ts'],
    ['each address of a network counts for itself', 'groups.slice(0, 4)', 'groups.slice(0, 8)'],
  ),
  ...changesOf(
    'util/bounded-map.ts',
    ['test/rooms/util/bounded-map.test.ts'],
    ['one entry fewer', 'this.#entries.size <= this.#size', 'this.#entries.size < this.#size'],
  ),
  ...changesOf(
    'util/digest.ts',
    ['test/rooms/util/digest.test.ts'],
    ['the order of keys matters', '.toSorted(([a], [b]) => (a < b ? -1 : 1))', ''],
  ),
  ...changesOf(
    'util/microtasks.ts',
    ['test/rooms/util/microtasks.test.ts'],
    ['one turn is enough', 'count < turns && !watched.isOver', 'count < 1 && !watched.isOver'],
  ),
  ...changesOf(
    'util/rate-limit.ts',
    ['test/rooms/util/rate-limit.test.ts'],
    ['a window may end this very second', 'Math.ceil(period - ', 'Math.floor(period - '],
  ),
  ...changesOf(
    'util/seal.ts',
    ['test/rooms/util/seal.test.ts'],
    [
      'only the newest secret opens',
      'keys.map(async (key) =>',
      'keys.slice(0, 1).map(async (key) =>',
    ],
    [
      'a state is bound to nothing',
      'additionalData: encoder.encode(bound)',
      "additionalData: encoder.encode('')",
    ],
    ['a secret of 32 characters is too short', 'length < minCharacters', 'length <= minCharacters'],
    [
      'the longest state does not open',
      'text.length > maxSealedLength',
      'text.length >= maxSealedLength',
    ],
  ),

  // the options
  ...changesOf(
    'server.ts',
    ['test/rooms/options.test.ts'],
    ['two servers mix silently', '  isCreated = true\n', ''],
  ),
  ...changesOf(
    'worker-settings.ts',
    [
      'test/rooms/options.test.ts',
      'test/rooms/serve/fetch.test.ts',
      'test/rooms/mcp/visibility.test.ts',
    ],
    [
      'requests that cannot be counted are refused',
      "whenUnreachable: whenUnreachable ?? 'allow'",
      "whenUnreachable: whenUnreachable ?? 'refuse'",
    ],
    [
      'documents are not served',
      'documents: options.documents ?? true',
      'documents: options.documents ?? false',
    ],
    [
      'concealed tools are named to callers',
      'registry.tools.filter(({ conceal }) => !conceal)',
      'registry.tools',
    ],
  ),

  // build
  ...changesOf(
    'build/registry-source.ts',
    ['test/rooms/build/registry-source.test.ts'],
    [
      'entries are in the order of the files',
      'entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))',
      'entries',
    ],
    ['a quote ends a text', "/[\\\\']/g", '/[\\\\]/g'],
  ),
  ...changesOf(
    'build/project.ts',
    ['test/rooms/build/project.test.ts'],
    ['tests are tools', '(?:d|test|spec)', '(?:d|test)'],
    ['private files are tools', ".split('/').every(isRead)", ".split('/').some(isRead)"],
    [
      'a link leads back for ever',
      'above.some((folder) => `${folder}${sep}`.startsWith(`${here}${sep}`))',
      'above.length > 50',
    ],

    ['two files have one name', 'if (paths.length > 1)', 'if (paths.length > 2)'],
  ),
  ...changesOf(
    'build/report.ts',
    ['test/rooms/build/report.test.ts'],
    ['a terminal obeys a message', '.map(toPrintable).join', '.join'],
    ['a refused build succeeds', 'exitCode: result.stillServing ? 0 : 1', 'exitCode: 0'],
    ['warnings fail nothing', 'strict && warnings.length > 0', 'strict && warnings.length > 99'],
    ['one reason comes twice', '[...reasons].map(', 'group.map(({ why }) => why).map('],
  ),
  ...changesOf(
    'build/classes.ts',
    ['test/rooms/build/classes.test.ts'],
    ['every project needs Bridge', "name !== 'Bridge' || needsBridge(entries, main)", 'true'],
    ['a Worker that refuses older clients needs Bridge', 'return servesLegacy && ', 'return '],
    ['a class is told of twice', 'undeclared.some((other) => other === name)', 'false'],
  ),
  ...changesOf(
    'build/main-module.ts',
    ['test/rooms/build/main-module.test.ts'],
    ['a Worker with `legacy: true` refuses older clients', " !== 'false'", ' === undefined'],
  ),
  ...changesOf(
    'build/scopes.ts',
    ['test/rooms/build/scopes.test.ts'],
    ['letters may change places', ' || areSwapped(low, lower)', ''],
    ['a Worker without auth is fine', '...(hasAuth ? []', '...(true ? []'],
  ),
  ...changesOf(
    'build/worker-env.ts',
    ['test/rooms/build/worker-env.test.ts'],
    [
      'a module reads a secret',
      'return scheme === undefined ? text :',
      'return scheme === undefined ? value :',
    ],
  ),
  ...changesOf(
    'build/evaluation/built-ins.ts',
    ['test/rooms/build/evaluation/built-ins.test.ts'],
    ['what a module adds stays', "key === 'toJSON'", "key === 'toJson'"],
    ['what a module replaces stays', 'if (!restored) stuck', 'if (restored) stuck'],
  ),
  ...changesOf(
    'build/wrangler-plugins.ts',
    ['test/rooms/build/bundling.test.ts'],
    [
      'require of a built-in throws',
      "kind === 'require-call' ? { path, namespace } : null",
      'null',
    ],
  ),
  ...changesOf(
    'build/inspect.ts',
    ['test/rooms/build/inspect.test.ts'],
    ['a tool and a prompt cannot share a name', 'key: `${section} ${key}`', 'key'],
    [
      'two files may share a name',
      'rivals.length === 1) return []',
      'rivals.length <= 2) return []',
    ],
  ),
  ...changesOf(
    'build/wrangler-config.ts',
    ['test/rooms/build/wrangler-config.test.ts'],
    [
      'vars of environments are secrets',
      'const all = [config, ...environments.filter(isJsonObject)]',
      'const all = [config]',
    ],
  ),
  ...changesOf(
    'build/schema/param-headers.ts',
    ['test/rooms/build/schema/param-headers.test.ts'],
    ['header names differ by case', 'pointers.get(name.toLowerCase())', 'pointers.get(name)'],
    [
      'a number is mirrored',
      "type === 'string' || type === 'integer' ||",
      "type === 'string' || type === 'integer' || type === 'number' ||",
    ],
  ),
  ...changesOf(
    'build/schema/keyword-problems.ts',
    ['test/rooms/build/schema/schema-problems.test.ts'],
    ['a multiple of zero', 'Number(value) > 0', 'Number(value) >= 0'],
    [
      'a length of zero is wrong',
      'Number.isInteger(value) && Number(value) >= 0',
      'Number.isInteger(value) && Number(value) > 0',
    ],
  ),
  ...changesOf(
    'build/kinds/tool.ts',
    ['test/rooms/build/kinds/tool.test.ts'],
    [
      'all limits are per caller',
      "by === 'caller' || by === 'tool' || by === 'all'",
      "by === 'caller'",
    ],
    [
      'a handle of another module is used',
      '      if (handles.has(kind)) return []\n',
      '      if (kind !== null) return []\n',
    ],
  ),

  // revisions
  ...changesOf(
    'protocol/revisions/convert-result.ts',
    ['test/rooms/protocol/revisions/results.test.ts'],
    [
      "an author's own text hides the value from old clients",
      'if (!revision.hasStructuredContent) return withTextCopy(converted, value)',
      'if (!revision.hasStructuredContent) return converted',
    ],
    ['a list is sent as structured content', '`{"result":${value}}`', 'value'],
  ),
  ...changesOf(
    'protocol/revisions/tool-schemas.ts',
    ['test/rooms/protocol/revisions/output-schema.test.ts'],
    [
      'references of a wrapped schema lead nowhere',
      'return `${root}${reference.slice(1)}`',
      'return reference',
    ],
  ),
  ...changesOf(
    'mcp/lists.ts',
    ['test/rooms/mcp/legacy-lists.test.ts'],
    ['a list of another revision is sent', '`${revision?.version}\\n${view}`', 'view'],
  ),
  ...changesOf(
    'mcp/legacy/session-subscriptions.ts',
    ['test/rooms/mcp/legacy/session-subscriptions.test.ts'],
    ['a hidden resource is subscribed to', 'return refused ?? object', 'return object'],
  ),
  ...changesOf(
    'mcp/envelope.ts',
    ['test/spec/legacy-lifecycle.test.ts'],
    [
      'initialize with a trace gets no sentence about the revision',
      'version === undefined ? refuseLegacy({ method, params, settings }) : null',
      'null',
    ],
  ),
  ...changesOf(
    'protocol/revisions/2025-06-18.ts',
    ['test/spec/legacy-client.test.ts'],
    [
      'clients without a capability for context are not asked to include it',
      'sampling: { context: {} }',
      'sampling: {}',
    ],
  ),
  // client
  ...changesOf(
    'client/connection.ts',
    ['test/rooms/client/responses.test.ts'],
    [
      'the response of another request is taken',
      "message['id'] !== id && !isUnread",
      'false && !isUnread',
    ],
    [
      'a response that comes after the call was cancelled stays open',
      'pending.then(({ body }) => body?.cancel()).catch(() => {})',
      'pending.catch(() => {})',
    ],
  ),
  ...changesOf(
    'client/event-stream.ts',
    ['test/rooms/client/responses.test.ts'],
    ['a CR LF between two chunks is two lines', "endedWithReturn = chunk.endsWith('\\r')", ''],
    ['events of all types are messages', "type === '' || type === 'message'", 'true'],
    ['an event may be of any length', 'size += value.length + 1', ''],
  ),
  ...changesOf(
    'client/sender.ts',
    ['test/rooms/client/responses.test.ts', 'test/rooms/client/questions.test.ts'],
    ['redirects are followed', "redirect: 'manual'", "redirect: 'follow'"],
    ['an empty cursor ends a list', 'nextCursor === undefined', '!nextCursor'],
    [
      'a state of an earlier round is sent again',
      'round = await this.#answer(result, options, count)',
      'round = { ...round, ...(await this.#answer(result, options, count)) }',
    ],
    ['answers of a call are ignored', '(answers ?? shared)', 'shared'],
  ),
  ...changesOf(
    'client/param-headers.ts',
    ['test/rooms/client/requests.test.ts'],
    [
      'an empty value is sent as it is',
      'if (plain.test(value) &&',
      "if ((value === '' || plain.test(value)) &&",
    ],
    [
      'annotations may be below other keywords',
      "keyword === 'properties' && path !== null",
      'path !== null',
    ],
    ['names of headers differ by case', 'header.toLowerCase()', 'header'],
  ),
  ...changesOf(
    'client/notifications.ts',
    ['test/rooms/client/listen.test.ts', 'test/rooms/client/responses.test.ts'],
    [
      'notifications of other subscriptions are heard',
      'if (_meta?.[metaKey.subscriptionId] !== id) return null',
      '',
    ],
    ['progress may go back', ' || progress <= last', ''],
  ),
]
