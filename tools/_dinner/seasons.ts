export const seasons = ['spring', 'summer', 'autumn', 'winter'] as const

export type Season = (typeof seasons)[number]
