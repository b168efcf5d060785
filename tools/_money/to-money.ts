/** Formats an amount for people, such as `€1,290.50`. */
export function toMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
}
