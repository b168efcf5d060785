import { isOn } from './is-on.ts'

/**
 * Calls `tell` when a flag has changed since it was last told of; run it once a minute. A change is
 * told twice, in two runs: elsewhere KV answers with the old value for up to a minute, and whoever
 * asked there too early has to ask again.
 *
 * Where `tell` throws nothing is noted, and the next run tries again.
 */
export async function tellOfChange(
  flags: KVNamespace,
  name: string,
  tell: () => Promise<void>,
): Promise<void> {
  const note = `${name}:told`
  const now = (await isOn(flags, name)) ? 'on' : 'off'
  const told = (await flags.get(note)) ?? 'off twice'
  if (told === `${now} twice`) return
  await tell()
  await flags.put(note, told === `${now} once` ? `${now} twice` : `${now} once`)
}
