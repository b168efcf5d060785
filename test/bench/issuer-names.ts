/** Who issues the tokens of the bench; it is reached by nothing but the workerd that is measured. */
export const issuer = 'https://issuer.example'

/** Whom they are for. */
export const audience = 'https://bench.example/mcp'
