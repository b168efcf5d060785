/*
 * Writes what docs/errors.md says of the sentences in `src/`: `npm run errors`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toErrorPage } from './error-page.ts'

const path = join(import.meta.dirname, '../../docs/errors.md')
writeFileSync(path, toErrorPage(readFileSync(path, 'utf8')))
