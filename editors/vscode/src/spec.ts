/** Recognition of specs among YAML files, by the rule of the language server. */

const COMMENT = /^\s*(#.*)?$/
const SCHEMA = /^# yaml-language-server: .*game\.schema\.json/
const FIRST_KEY = /^(spec|extends)\s*:/

/** Return true if a text begins with a key `spec` or `extends`, or names the schema of specs. */
export function isSpec(text: string): boolean {
  for (const line of text.split(/\r?\n/, 200)) {
    if (SCHEMA.test(line) || FIRST_KEY.test(line)) return true
    if (!COMMENT.test(line) && line !== '---') return false
  }
  return false
}
