import * as z from 'zod'
import { toConditions } from './conditions.ts'
import { fetchJson, toUnreadable } from './fetch-json.ts'
import type { Place } from './place.ts'

// the service sends a column for each measure
const answer = z.object({
  timezone: z.string(),
  daily: z.looseObject({ time: z.array(z.unknown()) }).catchall(z.array(z.unknown())),
})

const day = z.object({
  time: z.iso.date(),
  weather_code: z.int(),
  temperature_2m_min: z.number(),
  temperature_2m_max: z.number(),
  // some models do not reach this far
  precipitation_probability_max: z.number().nullable(),
  wind_speed_10m_max: z.number(),
})

const measures = Object.keys(day.shape).filter((name) => name !== 'time')

export interface Day {
  readonly date: string
  readonly conditions: string
  readonly minCelsius: number
  readonly maxCelsius: number
  /** Absent if unknown. */
  readonly precipitationPercent?: number | undefined
  readonly windKmh: number
}

export interface Forecast {
  readonly timezone: string
  /** Begins with today in the time zone of the place. */
  readonly days: readonly Day[]
}

/**
 * Fetches the forecast of a place.
 *
 * @throws {ToolError} if the service fails, or sends something other than a forecast.
 */
export async function fetchForecast(
  base: string,
  { latitude, longitude }: Place,
  days: number,
  signal: AbortSignal,
): Promise<Forecast> {
  const url = new URL(`${base}/v1/forecast`)
  url.searchParams.set('latitude', String(latitude))
  url.searchParams.set('longitude', String(longitude))
  url.searchParams.set('daily', measures.join(','))
  url.searchParams.set('forecast_days', String(days))
  url.searchParams.set('timezone', 'auto')
  return readForecast(await fetchJson(url, signal))
}

/** Converts the columns of the service to days. */
export function readForecast(body: unknown): Forecast {
  const columns = answer.safeParse(body)
  if (!columns.success) throw toUnreadable(columns.error)
  const { timezone, daily } = columns.data
  const rows = daily.time.map((_, row) =>
    Object.fromEntries(Object.entries(daily).map(([measure, values]) => [measure, values[row]])),
  )
  const days = z.array(day).min(1).safeParse(rows)
  if (!days.success) throw toUnreadable(days.error)
  return { timezone, days: days.data.map(toDay) }
}

function toDay(row: z.infer<typeof day>): Day {
  return {
    date: row.time,
    conditions: toConditions(row.weather_code),
    minCelsius: row.temperature_2m_min,
    maxCelsius: row.temperature_2m_max,
    precipitationPercent: row.precipitation_probability_max ?? undefined,
    windKmh: row.wind_speed_10m_max,
  }
}
