// The bar of a room: presence of the players, offers, rematch, and the invitation.

import { button, el, fill } from "./dom";
import { copy } from "./files";
import { occupantTitle, sideOf, winnerOf } from "./names";
import { announce, runAsync } from "./notices";
import type { Observation, Position } from "./protocol";
import { areAllSeatsTaken } from "./room";
import type { RoomSession } from "./room";

const OFFER_TEXTS: Record<string, string> = {
  draw: "offers a draw",
  undo: "asks to undo the last move",
  rematch: "offers a rematch",
};

export class RoomBar {
  readonly element = el("section", { class: "room", role: "status", "aria-label": "Room" });
  private isDisconnected = false;

  constructor(private readonly session: RoomSession) {
    session.room.listen((observation) => {
      this.isDisconnected = observation === null;
      if (session.position) this.show(session.position);
    });
  }

  show(position: Position): void {
    const observation = this.session.room.latest;
    if (!observation) return;
    const isOver = winnerOf(position, this.session.result) !== undefined;
    fill(
      this.element,
      this.isDisconnected && el("p", { class: "bad" }, "The connection is lost; reconnecting …"),
      el("p", {}, this.seatText(observation, position)),
      !areAllSeatsTaken(observation) && this.invitation(),
      observation.offer && this.offer(observation, position),
      isOver && observation.you !== null && !observation.offer && this.rematch(),
    );
  }

  private seatText(observation: Observation, position: Position): string {
    const { players, seats, you, own, computers, spectators } = observation;
    const playerTexts = players.map((player) => {
      const { taken, present } = seats[player]!;
      const computer = computers[player];
      if (computer) return `${sideOf(position, player)}: ${occupantTitle(computer, false)}`;
      const presence = own.length > 1 && own.includes(player) ? "here" : player === you ? "you" : !taken ? "free" : present ? "here" : "away";
      return `${sideOf(position, player)}: ${presence}`;
    });
    const others = you === null ? spectators - 1 : spectators;
    const spectatorTexts = you === null ? ["you watch"] : [];
    if (others > 0) spectatorTexts.push(`${others} more ${others === 1 ? "watches" : "watch"}`);
    return [...playerTexts, ...spectatorTexts].join(" · ");
  }

  private invitation(): HTMLElement {
    const address = el("input", {
      value: location.href,
      readonly: true,
      "aria-label": "Link to the room",
    });
    return el(
      "div",
      { class: "row" },
      el("span", {}, "Send this link to a friend:"),
      address,
      button("Copy", () => runAsync(() => copy(location.href, "The link"))),
    );
  }

  private offer({ offer, you }: Observation, position: Position): HTMLElement {
    const { kind, player } = offer!;
    const isOwn = player === you;
    const text = isOwn
      ? `You have offered: ${kind}`
      : `${sideOf(position, player)} ${OFFER_TEXTS[kind] ?? kind}.`;
    if (!isOwn) announce(text);
    const { room } = this.session;
    const answer = (label: string, accepts: boolean) =>
      button(label, () => runAsync(async () => void (await room.answer(accepts))));
    const buttons = you === null ? [] : isOwn ? [answer("Withdraw", false)] : [answer("Accept", true), answer("Decline", false)];
    return el("div", { class: "row" }, el("span", {}, text), ...buttons);
  }

  private rematch(): HTMLElement {
    const { room } = this.session;
    return el(
      "div",
      { class: "row" },
      button("Rematch", () => runAsync(async () => void (await room.offer("rematch"))), { class: "main" }),
    );
  }
}
