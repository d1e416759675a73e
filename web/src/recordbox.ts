// The game as a record, as a link and in formats of other programs: to be copied, saved and loaded.

import { request } from "./api";
import { button, el, fill } from "./dom";
import { UserError } from "./errors";
import { copy, download, openText, receiveTexts } from "./files";
import { PERSON, occupantOf } from "./names";
import { notify, runAsync } from "./notices";
import type { Format, ListedGame, ReadRecord } from "./protocol";
import type { Session } from "./session";
import { toFragment } from "./share";

const RECORD = "record";

export class RecordBox {
  readonly element: HTMLElement;
  private readonly formats = el("select", { "aria-label": "Format of the game" });
  private readonly games = el("select", { "aria-label": "Game of the file" });
  private readonly left = new AbortController();
  private known: Format[] = [];

  constructor(
    private readonly session: Session,
    private readonly mode: () => string,
  ) {
    const load = button("Load record", () => openText(this.suffixes, (text) => this.load(text)), {
      class: "load",
    });
    this.element = el(
      "div",
      { class: "row record" },
      this.formats,
      button("Copy link", () => runAsync(() => this.copyLink())),
      button("Copy record", () => runAsync(async () => copy(await this.text(), "The record"))),
      button("Download record", () => runAsync(() => this.save())),
      load,
      this.games,
    );
    this.games.hidden = true;
    this.session.listen(({ formats = [] }) => this.offer(formats));
    receiveTexts(load, (text) => this.load(text), this.left.signal);
  }

  /** Opens no more texts. */
  leave(): void {
    this.left.abort();
  }

  /** Offers the formats of a game. */
  private offer(formats: Format[]): void {
    const names = formats.map(({ name }) => name).join();
    if (names === this.known.map(({ name }) => name).join()) return;
    this.known = formats;
    const chosen = formats.some(({ name }) => name === this.formats.value) ? this.formats.value : RECORD;
    const rows = formats.map(({ name, title }) => el("option", { value: name }, title));
    fill(this.formats, el("option", { value: RECORD }, "Record of this program"), ...rows);
    this.formats.value = chosen;
  }

  /** Offers the games of a text with several. */
  private offerGames(games: ListedGame[], shown: number, text: string): void {
    const rows = games.map(({ number, players, result }) => {
      const named = [players.join(" – "), result].filter(Boolean).join(", ");
      return el("option", { value: number, selected: number === shown }, `${number}. ${named}`);
    });
    fill(this.games, ...rows);
    this.games.hidden = !rows.length;
    this.games.onchange = () => runAsync(() => this.load(text, Number(this.games.value)));
  }

  private get suffixes(): string {
    return [".rec", ".txt", ...new Set(this.known.map(({ suffix }) => suffix))].join();
  }

  private async save(): Promise<void> {
    const format = this.known.find(({ name }) => name === this.formats.value);
    download(`game${format?.suffix ?? ".rec"}`, await this.text());
  }

  private async copyLink(): Promise<void> {
    const address = new URL(location.href);
    address.hash = `${this.mode()}/~${await toFragment(this.session.linked)}`;
    await copy(address.href, "The link, with the rules and the game in it,");
  }

  private async text(): Promise<string> {
    const { position, record, setup, settled } = this.session;
    const sitting = (position?.players ?? []).map((player) => {
      const who = occupantOf(setup, player);
      return [player, who === PERSON ? "human" : who];
    });
    const body = { ...record, players: Object.fromEntries(sitting), settled: settled ?? {}, format: this.formats.value };
    return (await request<{ text: string }>("record", body)).text;
  }

  /** Shows a saved game: by the rules it names, if they are bundled, else by those shown now. */
  private async load(text: string, game = 1): Promise<void> {
    const isOwn = text.trimStart().startsWith("rulesengine record");
    const named = isOwn ? await request<ReadRecord>("read", { record: text }) : null;
    const { spec, with: transforms, parameters: values } = this.session.record;
    const shown = { spec: named?.spec ?? spec, with: named?.spec ? undefined : transforms };
    const asked = { ...shown, parameters: values, record: text, game };
    const read = named?.spec ? named : await request<ReadRecord>("read", asked);
    const { parameters, moves, start, problems, settled, games } = read;
    this.offerGames(games, game, text);
    try {
      this.session.setup = {};
      await this.session.replace({ ...shown, parameters, moves, start });
      if (settled) this.session.settle(settled);
    } catch (error) {
      // What it is a record of says more than what of it does not fit.
      if (error instanceof UserError && problems.length) throw new UserError(problems.join("; "));
      throw error;
    }
    if (problems.length) notify(problems.join("; "));
  }
}
