import { isOn } from './is-on.ts'

/**
 * Calls `tell` if a flag has changed since the last call; run it once a minute. Each change is announced
 * in two runs: in other places KV returns the old value for up to a minute, so a client that read there
 * too early must read again.
 *
 * If `tell` throws, nothing is stored, and the next run tries again.
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
