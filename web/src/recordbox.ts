// The game as a record and as a link: to be copied, saved and loaded.

import { ask } from "./api";
import { button, el } from "./dom";
import { Fault } from "./faults";
import { copy, download, openText } from "./files";
import { PERSON, seated } from "./names";
import { notify, tryTo } from "./notices";
import type { ReadRecord } from "./protocol";
import type { Session } from "./session";
import { toFragment } from "./share";

export class RecordBox {
  readonly element: HTMLElement;

  constructor(
    private readonly session: Session,
    private readonly mode: () => string,
  ) {
    this.element = el(
      "div",
      { class: "row record" },
      button("Copy link", () => tryTo(() => this.copyLink())),
      button("Copy record", () => tryTo(async () => copy(await this.text(), "The record"))),
      button("Download record", () => tryTo(async () => download("game.rec", await this.text()))),
      button("Load record", () => openText(".rec,.txt", (text) => this.load(text)), { class: "load" }),
    );
  }

  private async copyLink(): Promise<void> {
    const address = new URL(location.href);
    address.hash = `${this.mode()}/~${await toFragment(this.session.linked)}`;
    await copy(address.href, "The link, with the rules and the game in it,");
  }

  private async text(): Promise<string> {
    const { position, record, setup, settled } = this.session;
    const sitting = (position?.players ?? []).map((player) => {
      const who = seated(setup, player);
      return [player, who === PERSON ? "human" : who];
    });
    const body = { ...record, players: Object.fromEntries(sitting), settled: settled ?? {} };
    return (await ask<{ text: string }>("record", body)).text;
  }

  /** Shows a saved game: by the rules it names, if they are bundled, else by those shown now. */
  private async load(text: string): Promise<void> {
    const named = await ask<ReadRecord>("read", { record: text });
    const { spec, with: transforms } = this.session.record;
    const shown = { spec: named.spec ?? spec, with: named.spec ? undefined : transforms };
    const read = named.spec ? named : await ask<ReadRecord>("read", { ...shown, record: text });
    const { parameters, moves, start, problems, settled } = read;
    try {
      this.session.setup = {};
      await this.session.replace({ ...shown, parameters, moves, start });
      if (settled) this.session.settle(settled);
    } catch (error) {
      // What it is a record of says more than what of it does not fit.
      if (error instanceof Fault && problems.length) throw new Fault(problems.join("; "));
      throw error;
    }
    if (problems.length) notify(problems.join("; "));
  }
}
