// Choices of the reader that no link contains; the browser stores them.

export interface Preferences {
  sounds: boolean;
  /** Where legal targets are marked: where it helps, everywhere, or under the pointer only. */
  marks: "auto" | "always" | "hover";
  /** Whether a throw of chance waits for a click. */
  rolls: "once" | "click";
  /** The level of the computer in the last game. */
  level: string;
}

const KEY = "rulesengine";
const USUAL: Preferences = { sounds: false, marks: "auto", rolls: "once", level: "3" };

let known: Preferences | null = null;

export function preferences(): Preferences {
  known ??= { ...USUAL, ...stored() };
  return known;
}

/** Changes some of the choices. */
export function prefer(changed: Partial<Preferences>): void {
  known = { ...preferences(), ...changed };
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // The browser stores nothing: the choice lasts as long as the page.
  }
}

function stored(): Partial<Preferences> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? found : {};
  } catch {
    return {};
  }
}
