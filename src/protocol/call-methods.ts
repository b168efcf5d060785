/** What an author's code answers. The rest is answered from the registry and wakes nothing. */
export const callMethods: readonly string[] = ['tools/call', 'prompts/get', 'resources/read']
