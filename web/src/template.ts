// Templates for a new spec.

import blank from "./templates/blank.yaml";
import capture from "./templates/capture.yaml";
import connection from "./templates/connection.yaml";
import gravity from "./templates/gravity.yaml";
import mancala from "./templates/mancala.yaml";
import movement from "./templates/movement.yaml";
import row from "./templates/row.yaml";

export const NEW_SPEC = row;

/** The texts of templates by name. */
export const STARTING_POINTS: Record<string, string> = {
  blank,
  "in a row": row,
  gravity,
  capture,
  connection,
  movement,
  mancala,
};
