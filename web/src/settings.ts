// Settings of the page: marks, sounds, throws.

import { selectBox, el, field } from "./dom";
import { prefer, preferences } from "./preferences";
import type { Preferences } from "./preferences";

/** Fields for the choices that the browser stores; `changed` shows the position again. */
export function settingsFields(changed: () => void): HTMLElement[] {
  const change = (chosen: Partial<Preferences>) => {
    prefer(chosen);
    changed();
  };
  const { marks, rolls, sounds } = preferences();
  const sounding = el("input", { type: "checkbox", checked: sounds });
  sounding.addEventListener("change", () => change({ sounds: sounding.checked }));
  const marked = selectBox(
    [
      ["auto", "where they help"],
      ["always", "always"],
      ["hover", "under the pointer"],
    ],
    marks,
    (chosen) => change({ marks: chosen as Preferences["marks"] }),
  );
  const rolled = selectBox(
    [
      ["once", "at once"],
      ["click", "by a click"],
    ],
    rolls,
    (chosen) => change({ rolls: chosen as Preferences["rolls"] }),
  );
  return [
    field("Marks of legal moves", marked),
    field("Dice are thrown", rolled),
    field("Sounds", sounding),
  ];
}
