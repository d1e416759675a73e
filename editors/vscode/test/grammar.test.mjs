/** The grammar marks words of expressions in the values of a spec, and leaves texts alone. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const require = createRequire(import.meta.url)
const oniguruma = require('vscode-oniguruma')
const textmate = require('vscode-textmate')

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'))
await oniguruma.loadWASM(wasm)
const path = new URL('../syntaxes/rulesengine.tmLanguage.json', import.meta.url)
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: sources => new oniguruma.OnigScanner(sources),
    createOnigString: text => new oniguruma.OnigString(text),
  }),
  loadGrammar: async scope =>
    scope === 'source.rulesengine'
      ? textmate.parseRawGrammar(readFileSync(path, 'utf8'), path.pathname)
      : null,
})
const grammar = await registry.loadGrammar('source.rulesengine')

/** Return the innermost scope of each token of a text that is not blank. */
function scopes(text) {
  const found = []
  let stack = textmate.INITIAL
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, stack)
    stack = result.ruleStack
    for (const token of result.tokens) {
      const part = line.slice(token.startIndex, token.endIndex).trim()
      if (part) found.push([part, token.scopes.at(-1)])
    }
  }
  return found
}

/** Return the scope of the first token with a text. */
const scopeOf = (text, word) => scopes(text).find(([part]) => part === word)?.[1]

test('a key is a tag and its value an expression', () => {
  const text = '    to: empty touching own'
  assert.equal(scopeOf(text, 'to'), 'entity.name.tag.rulesengine')
  assert.equal(scopeOf(text, 'empty'), 'support.constant.rulesengine')
  assert.equal(scopeOf(text, 'touching'), 'keyword.control.rulesengine')
})

test('functions, numbers and directions have their scopes', () => {
  const text = '- when: any(line(own, at least 4, along: north))'
  assert.equal(scopeOf(text, 'line'), 'support.function.rulesengine')
  assert.equal(scopeOf(text, '4'), 'constant.numeric.rulesengine')
  assert.equal(scopeOf(text, 'north'), 'constant.language.rulesengine')
})

test('a text for people has no words of expressions', () => {
  const scope = scopeOf('name: any game of own pieces', 'any game of own pieces')
  assert.equal(scope, 'string.unquoted.rulesengine')
})

test('a quoted expression is an expression, another quoted text is not', () => {
  const text = 'moves: {place: disc, to: "empty where any(own)", written: "own"}'
  assert.equal(scopeOf(text, 'where'), 'keyword.control.rulesengine')
  assert.equal(scopeOf(text, 'any'), 'support.function.rulesengine')
  assert.equal(scopes(text).filter(([part]) => part === 'own').at(-1)[1], 'string.quoted.double.rulesengine')
})

test('a text for people in a flow map has no words of expressions', () => {
  const text = '- {when: none(empty), reason: no own piece, result: draw}'
  assert.equal(scopeOf(text, 'no own piece'), 'string.unquoted.rulesengine')
  assert.equal(scopeOf(text, 'none'), 'support.function.rulesengine')
  assert.equal(scopeOf(text, 'result'), 'entity.name.tag.rulesengine')
})

test('a comment is a comment to the end of its line', () => {
  assert.ok(scopes('# any own').every(([, scope]) => scope.startsWith('comment')))
  assert.equal(scopeOf('to: own # any', '# any'), 'comment.line.number-sign.rulesengine')
})

test('a drawing in a block text is a text', () => {
  const found = scopes('start: |\n  ..xo\n  any.\nrules:')
  assert.deepEqual(found.slice(3, 5).map(([, scope]) => scope), Array(2).fill('string.unquoted.block.rulesengine'))
  assert.deepEqual(found.at(-2), ['rules', 'entity.name.tag.rulesengine'])
})

test('the lines of a folded block are an expression', () => {
  assert.equal(scopeOf('far: >-\n  any(own)\n', 'any'), 'support.function.rulesengine')
})

test('a script is highlighted as statements', () => {
  const text = 'io: |\n  repeat until over\n    print "{move}"\n'
  assert.equal(scopeOf(text, 'repeat'), 'keyword.control.rulesengine')
})
