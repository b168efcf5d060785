/** The name that a file's place under `tools/` gives: `billing/refund.ts` is `billing.refund`. */
export function toToolName(path: string): string {
  return path.replace(/\.ts$/, '').replaceAll('/', '.')
}
