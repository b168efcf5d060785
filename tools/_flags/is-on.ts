/** Whether a feature flag is on. Flags are keys of a KV namespace, `on` or off. */
export async function isOn(flags: KVNamespace, name: string): Promise<boolean> {
  return (await flags.get(name)) === 'on'
}
