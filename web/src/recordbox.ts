// Copy, download and load a game as a link, a record or in a format of another program.

import { request } from "./api";
import { button, el, fill } from "./dom";
import { UserError } from "./errors";
import { acceptTexts, copy, download, openFile } from "./files";
import { occupantOf, PERSON } from "./names";
import { notify, runAsync } from "./notices";
import type { Format, ListedGame, ReadRecord } from "./protocol";
import type { Session } from "./session";
import { toFragment } from "./share";

const RECORD = "record";

export class RecordBox {
  readonly element: HTMLElement;
  private readonly formats = el("select", { "aria-label": "Format of the game" });
  private readonly games = el("select", { "aria-label": "Game of the file" });
  private readonly abortController = new AbortController();
  private knownFormats: Format[] = [];

  constructor(
    private readonly session: Session,
    private readonly mode: () => string,
  ) {
    const load = button("Load record", () => openFile(this.suffixes, (text) => this.load(text)), {
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
    this.session.listen(({ formats = [] }) => this.showFormats(formats));
    acceptTexts(load, (text) => this.load(text), this.abortController.signal);
  }

  /** Remove the listeners for dropped and pasted texts. */
  close(): void {
    this.abortController.abort();
  }

  /** Show the formats of a game. */
  private showFormats(formats: Format[]): void {
    const names = formats.map(({ name }) => name).join();
    if (names === this.knownFormats.map(({ name }) => name).join()) return;
    this.knownFormats = formats;
    const chosen = formats.some(({ name }) => name === this.formats.value) ? this.formats.value : RECORD;
    const rows = formats.map(({ name, title }) => el("option", { value: name }, title));
    fill(this.formats, el("option", { value: RECORD }, "Record of this program"), ...rows);
    this.formats.value = chosen;
  }

  /** Show the games of a text with several. */
  private showGames(games: ListedGame[], shown: number, text: string): void {
    const rows = games.map(({ number, players, result }) => {
      const label = [players.join(" – "), result].filter(Boolean).join(", ");
      return el("option", { value: number, selected: number === shown }, `${number}. ${label}`);
    });
    fill(this.games, ...rows);
    this.games.hidden = !rows.length;
    this.games.onchange = () => runAsync(() => this.load(text, Number(this.games.value)));
  }

  private get suffixes(): string {
    return [".rec", ".txt", ...new Set(this.knownFormats.map(({ suffix }) => suffix))].join();
  }

  private async save(): Promise<void> {
    const format = this.knownFormats.find(({ name }) => name === this.formats.value);
    download(`game${format?.suffix ?? ".rec"}`, await this.text());
  }

  private async copyLink(): Promise<void> {
    const address = new URL(location.href);
    address.hash = `${this.mode()}/~${await toFragment(this.session.linked)}`;
    await copy(address.href, "The link, with the rules and the game in it,");
  }

  private async text(): Promise<string> {
    const { position, record, setup, settled } = this.session;
    const players = (position?.players ?? []).map((player) => {
      const occupant = occupantOf(setup, player);
      return [player, occupant === PERSON ? "human" : occupant];
    });
    const body = { ...record, players: Object.fromEntries(players), settled: settled ?? {}, format: this.formats.value };
    return (await request<{ text: string }>("record", body)).text;
  }

  /** Load a saved game, with the bundled rules that it names, else with the current rules. */
  private async load(text: string, game = 1): Promise<void> {
    const isOwn = text.trimStart().startsWith("rulesengine record");
    const ownRecord = isOwn ? await request<ReadRecord>("read", { record: text }) : null;
    const { spec, with: transforms, parameters: values } = this.session.record;
    const rules = { spec: ownRecord?.spec ?? spec, with: ownRecord?.spec ? undefined : transforms };
    const body = { ...rules, parameters: values, record: text, game };
    const read = ownRecord?.spec ? ownRecord : await request<ReadRecord>("read", body);
    const { parameters, moves, start, problems, settled, games } = read;
    this.showGames(games, game, text);
    try {
      this.session.setup = {};
      await this.session.replace({ ...rules, parameters, moves, start });
      if (settled) this.session.settle(settled);
    } catch (error) {
      // The problems of the record are more helpful than the error of the last request.
      if (error instanceof UserError && problems.length) throw new UserError(problems.join("; "));
      throw error;
    }
    if (problems.length) notify(problems.join("; "));
  }
}
