/** The extension starts the language server and shows its findings; VS Code has a stand-in. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { buildSync } from 'esbuild'

const require = createRequire(import.meta.url)
const command = process.env.RULESENGINE
const folder = mkdtempSync(join(tmpdir(), 'extension-'))
const SPEC = `spec: 1
name: Row
board: {rows: 3, columns: 3}
players: [one, two]
pieces: {stone: {one: x, two: o}, empty: "."}
rules:
  moves: {place: stone, to: emty}
  end: {when: none(empty), result: draw, reason: full}
`
let extension
let vscode

before(() => {
  const stub = require.resolve('./vscode_stub.cjs')
  buildSync({
    entryPoints: [new URL('../src/extension.ts', import.meta.url).pathname],
    bundle: true,
    platform: 'node',
    external: [stub],
    alias: { vscode: stub },
    outfile: join(folder, 'extension.cjs'),
  })
  vscode = require(stub)
  extension = require(join(folder, 'extension.cjs'))
})
after(() => rmSync(folder, { recursive: true }))

/** Wait for a value. */
async function until(find) {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = find()
    if (found) return found
    await pause(100)
  }
  throw new Error('nothing came in a minute')
}

test('a program that does not exist is reported with the setting', async () => {
  vscode.seen.settings.command = join(folder, 'no-such-program')
  await extension.activate({ subscriptions: [] })
  assert.match(vscode.seen.errors.join(), /no-such-program lsp` did not start/)
  assert.match(vscode.seen.errors.join(), /rulesengine\.command/)
  await extension.deactivate()
})

test('an opened spec gets its language and its findings', { skip: !command && 'RULESENGINE is no program' }, async () => {
  vscode.seen.errors.length = 0
  vscode.seen.settings.command = command
  await extension.activate({ subscriptions: [] })
  assert.deepEqual(vscode.seen.errors, [])
  const document = vscode.open('file:///row.yaml', 'yaml', SPEC)
  await until(() => document.languageId === 'rulesengine')
  const [found] = await until(() => {
    const all = vscode.seen.diagnostics.get('file:///row.yaml')
    return all?.length ? all : null
  })
  assert.match(found.message, /unknown name `emty`/)
  assert.deepEqual([found.range.start.line, found.range.start.character], [6, 28])
  await extension.deactivate()
})
