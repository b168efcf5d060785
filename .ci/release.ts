/*
 * Checks that a tag can be released, and prints what the changelog says of its version: `node .ci/release.ts v0.2.0`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly repository?: { readonly url: string }
  readonly workspaces?: readonly string[]
}

/** The version's section of the changelog, or every reason against a release. */
export interface Release {
  readonly notes: string
  readonly problems: readonly string[]
}

/** Reads the packages of a repository: its root, and the workspaces that are published with it. */
export function readRelease(tag: string, root: string): Release {
  const own = readManifest(root)
  const others = (own.workspaces ?? []).map((folder) => readManifest(join(root, folder)))
  const published = [own, ...others.filter((manifest) => manifest.private !== true)]
  const version = tag.replace(/^v/, '')
  const notes = findNotes(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  return {
    notes: notes ?? '',
    problems: [
      ...published
        .filter((manifest) => `v${manifest.version}` !== tag)
        .map(({ name, version: has }) => `The tag is ${tag}, but ${name} has version ${has}.`),
      ...published
        .filter(({ repository }) => repository === undefined || repository.url.includes('/OWNER/'))
        .map(
          ({ name }) =>
            `${name} has no URL in \`repository\` of its package.json, or still that of OWNER. npm refuses a provenance from elsewhere.`,
        ),
      ...(notes === null
        ? [`CHANGELOG.md has no section "## ${version}". Rename the one that is not released yet.`]
        : []),
    ],
  }
}

function findNotes(version: string, changelog: string): string | null {
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.split('\n', 1)[0]?.trim() === version)
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim()
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

if (process.argv[1] === import.meta.filename) {
  const tag = process.argv[2] ?? ''
  const { notes, problems } = readRelease(tag, join(import.meta.dirname, '..'))
  if (problems.length === 0) {
    process.stdout.write(`${notes}\n`)
  } else {
    process.stderr.write(`${tag} cannot be released:\n- ${problems.join('\n- ')}\n`)
    process.exitCode = 1
  }
}
