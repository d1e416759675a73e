// What happens in a room: who is there, offers of others, results, the address to send to a friend.

import { button, el, fill } from "./dom";
import { copy } from "./files";
import { sideOf, winnerOf } from "./names";
import { say, tryTo } from "./notices";
import type { Observation, Position } from "./protocol";
import { areAllSeated } from "./room";
import type { RoomSession } from "./room";

const OFFERED: Record<string, string> = {
  draw: "offers a draw",
  undo: "asks to take the last move back",
  rematch: "offers a rematch",
};

export class RoomBar {
  readonly element = el("section", { class: "room", role: "status", "aria-label": "Room" });
  private isLost = false;

  constructor(private readonly session: RoomSession) {
    session.room.listen((seen) => {
      this.isLost = seen === null;
      if (session.position) this.show(session.position);
    });
  }

  show(position: Position): void {
    const seen = this.session.room.latest;
    if (!seen) return;
    const isOver = winnerOf(position, this.session.result) !== undefined;
    fill(
      this.element,
      this.isLost && el("p", { class: "bad" }, "The connection is lost; trying again …"),
      el("p", {}, this.people(seen, position)),
      !areAllSeated(seen) && this.invitation(),
      seen.offer && this.offer(seen, position),
      isOver && seen.you !== null && !seen.offer && this.rematch(),
    );
  }

  private people(seen: Observation, position: Position): string {
    const { players, seats, you, spectators } = seen;
    const told = players.map((player) => {
      const { taken, present } = seats[player]!;
      const where = player === you ? "you" : !taken ? "free" : present ? "here" : "away";
      return `${sideOf(position, player)}: ${where}`;
    });
    const others = you === null ? spectators - 1 : spectators;
    const watching = you === null ? ["you watch"] : [];
    if (others > 0) watching.push(`${others} more ${others === 1 ? "watches" : "watch"}`);
    return [...told, ...watching].join(" · ");
  }

  private invitation(): HTMLElement {
    const address = el("input", {
      value: location.href,
      readonly: true,
      "aria-label": "Address of the room",
    });
    return el(
      "div",
      { class: "row" },
      el("span", {}, "Send this address to a friend:"),
      address,
      button("Copy", () => tryTo(() => copy(location.href, "The address"))),
    );
  }

  private offer({ offer, you }: Observation, position: Position): HTMLElement {
    const { kind, player } = offer!;
    const isOwn = player === you;
    const text = isOwn
      ? `You have offered: ${kind}`
      : `${sideOf(position, player)} ${OFFERED[kind] ?? kind}.`;
    if (!isOwn) say(text);
    const { room } = this.session;
    const answer = (label: string, accepts: boolean) =>
      button(label, () => tryTo(async () => void (await room.answer(accepts))));
    const buttons = you === null ? [] : isOwn ? [answer("Withdraw", false)] : [answer("Accept", true), answer("Decline", false)];
    return el("div", { class: "row" }, el("span", {}, text), ...buttons);
  }

  private rematch(): HTMLElement {
    const { room } = this.session;
    return el(
      "div",
      { class: "row" },
      button("Rematch", () => tryTo(async () => void (await room.offer("rematch"))), { class: "main" }),
    );
  }
}
