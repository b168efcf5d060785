#!/usr/bin/env node
import process from 'node:process'

// loads nothing else first, so that an older Node can still print what to do
const [major = ''] = process.versions.node.split('.')
if (Number(major) >= 22) {
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    `create-helve needs Node 22 or newer, as wrangler does, and this is Node ${process.versions.node}. ` +
      'Install a newer Node.',
  )
  process.exitCode = 1
}
