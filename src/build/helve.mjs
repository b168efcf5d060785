#!/usr/bin/env node
// plain JavaScript, so that a Node that cannot read TypeScript still says what to do about it
import module from 'node:module'
import process from 'node:process'

if (process.features.typescript) {
  // most of a short build is loading: keep the compiled code for the next one
  module.enableCompileCache()
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    `helve runs on Node 22.18 or newer, and this is Node ${process.versions.node}, which cannot ` +
      'run TypeScript. Install a newer Node, or go through npm: `npm run build` uses the Node that ' +
      'package.json brings.',
  )
  process.exitCode = 1
}
