import { ToolError } from 'helve'
import * as z from 'zod'
import { fetchJson, toUnreadable } from './fetch-json.ts'

const place = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  country: z.string().optional(),
  country_code: z.string().optional(),
  admin1: z.string().optional(),
})

// the service omits `results` if it finds nothing
const answer = z.object({ results: z.array(place).default([]) })

export interface Place {
  /** For people: `Portland, Oregon, United States`. */
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

export interface AskedPlace {
  readonly city: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string | undefined
}

/**
 * Finds the best-known place with this name, in this country if one is given.
 *
 * @throws {ToolError} if there is no such place, or if the service fails.
 */
export async function findPlace(
  base: string,
  asked: AskedPlace,
  signal: AbortSignal,
): Promise<Place> {
  const url = new URL(`${base}/v1/search`)
  url.searchParams.set('name', asked.city)
  url.searchParams.set('count', '20')
  return readPlace(await fetchJson(url, signal), asked)
}

/** Selects the place from the response, which begins with the best-known one. */
export function readPlace(body: unknown, { city, country }: AskedPlace): Place {
  const { data, error } = answer.safeParse(body)
  if (data === undefined) throw toUnreadable(error)
  const found = data.results.find((each) => country === undefined || each.country_code === country)
  if (found === undefined) {
    throw new ToolError(
      `No place called "${city}"${country === undefined ? '' : ` in ${country}`} is known. Check ` +
        'the spelling, give the name alone without region or country, or try a larger place nearby.',
    )
  }
  // a city state would have its name three times
  const parts = new Set([found.name, found.admin1, found.country].filter(Boolean))
  return { name: [...parts].join(', '), latitude: found.latitude, longitude: found.longitude }
}
