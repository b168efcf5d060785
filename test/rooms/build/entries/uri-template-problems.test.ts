import { expect, test } from 'vitest'
import { findTemplateProblems } from '../../../../src/build/entries/resource-entry.ts'

test.each([
  'shop://catalog',
  'https://example.com/a?b=c#d',
  'urn:isbn:0451450523',
  'shop://orders/{id}',
  'shop://{shelf}/{sku}.json',
  'map:{lat},{lon}',
  'file:///{+path}',
  'file:///{+path}.md{?rev}',
  'git://{repo}/{+path}',
  'shop://a{/b,c}{?d,e}',
  'shop://a/{id}{/b}',
  'shop://search?q={q}&page={page}',
])('finds no problem in %s', (template) => {
  expect(findTemplateProblems(template)).toEqual([])
})

test.each([
  ['products/{sku}', /start with a scheme/],
  ['Shop://products', /start with a scheme in lower case/],
  ['{scheme}:x', /start with a scheme/],
  ['shop://a b', /" " is not allowed in a URI/],
  ['shop://Grüße', /"ü" is not allowed/],
  ['shop://🫖', /"🫖" is not allowed/],
  ['shop://a%2', /"%" is not allowed/],
  ['shop://a/{id', /"{" is not allowed/],
  ['shop://a/id}', /"}" is not allowed/],
  ['shop://a/../b', /"\.\." segment/],
  ['shop://a/.', /"\." or/],
  ['shop://a{#part}', /{#part} is not supported. Use {var}, {\+var}, {\/a,b} or {\?a,b}/],
  ['shop://a{;x}', /{;x} is not supported/],
  ['shop://a{.x}', /{\.x} is not supported/],
  ['shop://a?x=1{&y}', /{&y} is not supported/],
  ['shop://a{/list*}', /{\/list\*} is not supported/],
  ['shop://a/{id:3}', /{id:3} is not supported/],
  ['shop://a/{}', /{} needs variable names/],
  ['shop://a/{a b}', /{a b} needs variable names/],
  ['shop://a/{1a}', /{1a} needs variable names/],
  ['shop://a/{a%20}', /{a%20} needs variable names/],
  ['shop://a/{__proto__}', /{__proto__} needs variable names/],
  ['shop://a/{x,y}', /{x,y} has several variables/],
  ['shop://a/{+x,y}', /{\+x,y} has several variables/],
  ['shop://{a}/{a}', /"a" is used twice/],
  ['shop://{a}{?a}', /"a" is used twice/],
  ['shop://{a}{b}', /There is no separator between {a} and {b}/],
  ['shop://{a}{+b}', /There is no separator between {a} and {\+b}/],
  ['shop://{a}-{b}', /"-" does not separate {a} from {b}/],
  ['shop://{a}%2C{b}', /"%2C" does not separate/],
  ['file:///{+a}/{b}', /After {\+a} only text and {\?...} may follow/],
  ['file:///{+a}{/b}', /After {\+a} only text/],
  ['shop://a{/b}/c', /After {\/b} only {\?...} may follow/],
  ['shop://a{?b}/c', /{\?b} must be at the end/],
  ['shop://a?x=1{?b}', /Before {\?b} there must not be a "\?"/],
])('finds the problem of %s', (template, sentence) => {
  expect(findTemplateProblems(template).join('\n')).toMatch(sentence)
})

test('finds all problems at once', () => {
  expect(findTemplateProblems('a b{a}{a:1}')).toHaveLength(4)
})
