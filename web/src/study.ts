// A small study of the game: what it is like, from games that the server plays meanwhile.

import { requestStream } from "./api";
import { button, el, fill } from "./dom";
import { reportError, announce } from "./notices";
import type { StudyProgress } from "./protocol";
import { darkScheme } from "./session";
import type { Session } from "./session";
import { parsePicture } from "./svg";

const SECONDS = 10; // as long as a request may take

export class Study {
  readonly element = el("section", { class: "study", "aria-label": "Study" });
  private readonly begins = button("Study the game", () => this.begin());
  private readonly ends = button("Stop", () => this.stop(), { hidden: true });
  private readonly told = el("p", { class: "told" });
  private readonly shown = el("div", { class: "studied" });
  private running: AbortController | null = null;

  constructor(private readonly session: Session) {
    this.element.append(el("div", { class: "row" }, this.begins, this.ends), this.told, this.shown);
  }

  /** Ends the games; what they have shown stays. */
  stop(): void {
    this.running?.abort();
    this.running = null;
    this.begins.hidden = false;
    this.ends.hidden = true;
  }

  private begin(): void {
    this.stop();
    const control = new AbortController();
    this.running = control;
    this.begins.hidden = true;
    this.ends.hidden = false;
    this.ends.focus();
    this.told.textContent = "The first games are played …";
    fill(this.shown);
    const { spec, parameters, with: transforms } = this.session.record;
    const theme = darkScheme().matches ? "dark" : "light";
    const body = { spec, parameters, with: transforms, theme, seconds: SECONDS };
    requestStream<StudyProgress>("study", body, (one) => this.show(one), control.signal)
      .catch(reportError)
      .finally(() => this.running === control && this.ended());
  }

  private ended(): void {
    announce(`The study is over: ${this.told.textContent}`);
    const hadFocus = document.activeElement === this.ends;
    this.stop();
    if (hadFocus) this.begins.focus();
  }

  private show(studied: StudyProgress): void {
    const { games, total, players } = studied;
    this.told.textContent = `${games} of ${total} games, by ${players.join(", ")} and at random`;
    fill(
      this.shown,
      numbers(studied),
      el("p", { class: "told" }, "In brackets: 95 % intervals"),
      el("h3", {}, "Games by their plies"),
      lengths(studied),
      el("h3", {}, "Cells by use"),
      parsePicture(studied.svg),
      ...(studied.done ? unused(studied) : []),
    );
  }
}

function numbers({ numbers }: StudyProgress): HTMLElement {
  const rows = numbers.map(([name, value]) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)),
  );
  return el("table", { class: "numbers" }, el("tbody", {}, ...rows));
}

function lengths({ lengths }: StudyProgress): HTMLElement {
  const most = Math.max(...lengths.map(([, count]) => count));
  const rows = lengths.map(([plies, count]) => {
    const bar = el("span");
    bar.style.width = `${(100 * count) / most}%`;
    const shown = el("td", { class: "meter", "aria-hidden": "true" }, bar);
    return el("tr", {}, el("th", { scope: "row" }, plies), el("td", {}, String(count)), shown);
  });
  return el("table", { class: "numbers lengths" }, el("tbody", {}, ...rows));
}

function* unused({ unused }: StudyProgress): Iterable<HTMLElement> {
  if (!unused.length) return;
  yield el("h3", {}, "Rules that no game came to");
  yield el("ul", {}, ...unused.map((rule) => el("li", {}, rule)));
}
