import { defineTool } from 'helve'
import * as z from 'zod'
import { fetchForecast } from './_weather/forecast.ts'
import { findPlace } from './_weather/place.ts'

export default defineTool({
  title: 'Weather forecast',
  description:
    'Gets the weather of a city for today and the days after it, one entry a day. Use it when the ' +
    'user asks about the weather, or when a plan depends on it. Not for past days.',
  hints: { readOnly: true, openWorld: true },
  timeout: '5s',
  input: z.strictObject({
    city: z
      .string()
      .trim()
      .min(2)
      .max(80)
      .describe('The name alone, without region or country, such as "Lisbon".'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional()
      .describe('Two-letter ISO code that tells cities of one name apart, such as "PT".'),
    days: z.int().min(1).max(7).default(3).describe('How many days, today included.'),
  }),
  output: z.object({
    place: z
      .string()
      .describe('The place that was found. Check that it is the one that was meant.'),
    timezone: z.string(),
    days: z.array(
      z.object({
        date: z.string().describe('Such as 2026-11-30.'),
        conditions: z.string(),
        minCelsius: z.number(),
        maxCelsius: z.number(),
        precipitationPercent: z.number().optional().describe('Left out where it is not known.'),
        windKmh: z.number().describe('The strongest of the day.'),
      }),
    ),
  }),
  async run({ input, env, signal }) {
    const place = await findPlace(env.GEOCODING_API, input, signal)
    const forecast = await fetchForecast(env.WEATHER_API, place, input.days, signal)
    return { place: place.name, timezone: forecast.timezone, days: [...forecast.days] }
  },
})
