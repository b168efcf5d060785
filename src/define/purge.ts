/** What is to be made anew when it is next asked for. */
export interface Purged {
  /** The kept results of these tools, or of all. */
  readonly tools?: readonly string[] | 'all'
  /** What was read at these URIs. A template, as it is written in `uri`, stands for all of its own. */
  readonly resources?: readonly string[]
  /** The kept lists of resources. */
  readonly lists?: boolean
}

/**
 * Purges kept answers, wherever in the world they are kept. `notify` does it by itself for what it
 * tells of; this is for what nobody is told of, such as the results of a tool.
 *
 * @throws {TypeError} for a tool or a resource that there is not.
 * @throws {Error} when the platform refuses, which it does from a few purges a minute on.
 */
export type Purge = (what: Purged | 'everything') => Promise<void>
