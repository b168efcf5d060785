const units = [
  { name: 'second', ms: 1_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'hour', ms: 3_600_000 },
] as const

/** Says in how long something is worth another try, and never too soon: "in 36 seconds". */
export function toWaitText(ms: number): string {
  // up to two of a unit are said in the one below: an hour and a minute is not two hours
  const unit = units.findLast((candidate) => ms > 2 * candidate.ms) ?? units[0]
  const count = Math.max(1, Math.ceil(ms / unit.ms))
  return `in ${count} ${unit.name}${count === 1 ? '' : 's'}`
}
