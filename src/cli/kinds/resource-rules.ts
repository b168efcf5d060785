import type { Questions } from '../../define/question.ts'
import type { ResourceDefinition } from '../../define/resource.ts'
import type { Schema } from '../../schema/standard.ts'
import { isJsonObject } from '../../wire/json.ts'
import type { MemberRules } from './member-problems.ts'
import { anything, mustBeFlag, mustBeFunction, mustBeFunctions } from './member-rule.ts'
import {
  mustBeIcons,
  mustBeScopes,
  mustBeText,
  mustBeTime,
  type MemberRule,
} from './member-rule.ts'

type Key = keyof ResourceDefinition<string, Schema, Questions>

const members: Readonly<Record<Key, MemberRule>> = {
  uri: mustBeText,
  name: mustBeText,
  title: mustBeText,
  description: mustBeText,
  mime: findMimeProblem,
  size: (size) => (Number.isSafeInteger(size) ? null : 'is no number of bytes.'),
  icons: mustBeIcons,
  annotations: (value) => (isJsonObject(value) ? null : 'is no object, such as { priority: 1 }.'),
  fresh: mustBeTime('time to keep what was read', '"30s", "5m" or "1h"'),
  stale: mustBeTime('time to send the old', '"10m" or "1h"'),
  params: anything,
  complete: mustBeFunctions,
  shared: mustBeFlag,
  list: mustBeFunction,
  scopes: mustBeScopes,
  conceal: mustBeFlag,
  visible: mustBeFunction,
  ask: mustBeFunction,
  read: mustBeFunction,
}

/** What may stand in a resource's definition. Its schema is looked at elsewhere. */
export const resourceRules: MemberRules = {
  what: 'resource',
  members,
  needed: {
    uri: 'It is what clients read, such as "shop://catalog".',
    mime: 'It is the media type of what is read, such as "text/markdown".',
    read: 'It is the function that returns what is there.',
  },
  elsewhere: {
    cacheScope: 'is computed from `shared` and from what lists depend on. Leave it out.',
    public: 'is written `shared: true` here: what is read is then the same for every caller.',
    ttl: 'is called `fresh` here, such as "5m".',
    ttlMs: 'is called `fresh` here, such as "5m".',
    cache: 'is called `fresh` here, such as "5m".',
    mimeType: 'is called `mime` here.',
    uriTemplate: 'is called `uri` here, as that of any resource.',
    template: 'is called `uri` here, as that of any resource.',
    input: 'is called `params` here: a schema of the variables in `uri`.',
    run: 'is called `read` here.',
    handler: 'is called `read` here.',
  },
}

function findMimeProblem(mime: unknown): string | null {
  // a type and a subtype of RFC 6838, and whatever parameters
  if (typeof mime === 'string' && /^\w[\w.+!#$&^-]*\/\w[\w.+!#$&^-]*(?:;.+)?$/.test(mime))
    return null
  return `is ${JSON.stringify(mime)}, which is no media type. Write one such as "text/markdown".`
}
