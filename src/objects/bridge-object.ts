import { DurableObject } from 'cloudflare:workers'

/**
 * The Durable Object that carries a client's answer back to the call that asked, in whichever
 * isolate it waits, for clients of the revisions before 2026-07-28. It also stores what such a
 * client subscribed to; see docs/storage.md.
 */
export class Bridge extends DurableObject {}
