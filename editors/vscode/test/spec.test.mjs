/** Recognition of specs; esbuild compiles the source for Node. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSync } from 'esbuild'

const { text } = buildSync({
  entryPoints: [new URL('../src/spec.ts', import.meta.url).pathname],
  format: 'esm',
  write: false,
}).outputFiles[0]
const { isSpec } = await import(`data:text/javascript,${encodeURIComponent(text)}`)

for (const [given, expected] of [
  ['spec: 1\nname: A\n', true],
  ['# a comment\n\nextends: othello\n', true],
  ['# yaml-language-server: $schema=../grammars/game.schema.json\nname: A\n', true],
  ['---\nspec: 1\n', true],
  ['name: A\nspec: 1\n', false],
  ['services:\n  web: {}\n', false],
  ['', false],
]) {
  test(`${JSON.stringify(given)} is ${expected ? 'a spec' : 'another file'}`, () => {
    assert.equal(isSpec(given), expected)
  })
}
