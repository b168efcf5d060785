#!/usr/bin/env node
// plain JavaScript, so that a Node that cannot run TypeScript can still print what to do
import module from 'node:module'
import process from 'node:process'

if (process.features.typescript) {
  // most of a short build is loading modules: cache the compiled code
  module.enableCompileCache()
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    `helve needs Node 22.18 or newer, and this is Node ${process.versions.node}, which cannot run ` +
      'TypeScript. Install a newer Node, or use npm: `npm run build` runs the Node in package.json.',
  )
  process.exitCode = 1
}
