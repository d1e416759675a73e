// The preferences of the user, which the browser stores and links do not contain.

export interface Preferences {
  sounds: boolean;
  /** The marks of legal targets: where they help, always, or only under the pointer. */
  marks: "auto" | "always" | "hover";
  /** The roll of dice: automatic, or after a click. */
  rolls: "once" | "click";
  /** The level of the computer in the last game. */
  level: string;
}

const KEY = "rulesengine";
const DEFAULTS: Preferences = { sounds: false, marks: "auto", rolls: "once", level: "3" };

let current: Preferences | null = null;

export function preferences(): Preferences {
  current ??= { ...DEFAULTS, ...storedPreferences() };
  return current;
}

/** Change some preferences. */
export function setPreferences(changed: Partial<Preferences>): void {
  current = { ...preferences(), ...changed };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // The browser stores nothing: the preferences are lost with the page.
  }
}

function storedPreferences(): Partial<Preferences> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
