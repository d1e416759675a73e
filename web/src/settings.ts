// The settings of the page: marks, sounds, dice.

import { el, field, selectBox } from "./dom";
import { preferences, setPreferences } from "./preferences";
import type { Preferences } from "./preferences";

/** Create the fields of the settings; `onChange` renders the position again. */
export function settingsFields(onChange: () => void): HTMLElement[] {
  const change = (chosen: Partial<Preferences>) => {
    setPreferences(chosen);
    onChange();
  };
  const { marks, rolls, sounds } = preferences();
  const soundsCheckbox = el("input", { type: "checkbox", checked: sounds });
  soundsCheckbox.addEventListener("change", () => change({ sounds: soundsCheckbox.checked }));
  const marksSelect = selectBox(
    [
      ["auto", "where they help"],
      ["always", "always"],
      ["hover", "under the pointer"],
    ],
    marks,
    (chosen) => change({ marks: chosen as Preferences["marks"] }),
  );
  const rollsSelect = selectBox(
    [
      ["once", "automatically"],
      ["click", "by a click"],
    ],
    rolls,
    (chosen) => change({ rolls: chosen as Preferences["rolls"] }),
  );
  return [
    field("Marks of legal moves", marksSelect),
    field("Roll the dice", rollsSelect),
    field("Sounds", soundsCheckbox),
  ];
}
