// The specs that a new game may begin with.

import blank from "./templates/blank.yaml";
import capture from "./templates/capture.yaml";
import connection from "./templates/connection.yaml";
import gravity from "./templates/gravity.yaml";
import mancala from "./templates/mancala.yaml";
import movement from "./templates/movement.yaml";
import row from "./templates/row.yaml";

export const NEW_SPEC = row;

/** The texts of starting points by their names. */
export const STARTING_POINTS: Record<string, string> = {
  blank,
  "in a row": row,
  gravity,
  capture,
  connection,
  movement,
  mancala,
};
