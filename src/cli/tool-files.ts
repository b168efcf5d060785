import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'

/**
 * Finds the files of a folder that may hold a tool, as sorted paths from that folder with slashes.
 * A folder that is not there holds none.
 */
export async function findToolFiles(folder: string): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return paths
    .map((path) => path.replaceAll(sep, '/'))
    .filter(isToolFile)
    .toSorted()
}

/**
 * Tells a file that may hold a tool from one that stands beside the tools: declarations, tests, and
 * whatever a leading `_` or `.` marks as the author's own, in its name or in a folder's.
 */
export function isToolFile(path: string): boolean {
  if (!path.endsWith('.ts') || /\.(?:d|test|spec)\.ts$/.test(path)) return false
  return path.split('/').every((part) => !/^[._]/.test(part))
}
