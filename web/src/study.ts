// A small study of the game, by games that the server plays.

import { requestStream } from "./api";
import { button, el, fill } from "./dom";
import { announce, reportError } from "./notices";
import type { StudyProgress } from "./protocol";
import { darkScheme } from "./session";
import type { Session } from "./session";
import { parsePicture } from "./svg";

const SECONDS = 10; // the limit of a request

export class Study {
  readonly element = el("section", { class: "study", "aria-label": "Study" });
  private readonly startButton = button("Study the game", () => this.start());
  private readonly stopButton = button("Stop", () => this.stop(), { hidden: true });
  private readonly progress = el("p", { class: "note" });
  private readonly results = el("div", { class: "studied" });
  private abortController: AbortController | null = null;

  constructor(private readonly session: Session) {
    this.element.append(el("div", { class: "row" }, this.startButton, this.stopButton), this.progress, this.results);
  }

  /** Stop the study; its results stay visible. */
  stop(): void {
    this.abortController?.abort();
    this.abortController = null;
    this.startButton.hidden = false;
    this.stopButton.hidden = true;
  }

  private start(): void {
    this.stop();
    const control = new AbortController();
    this.abortController = control;
    this.startButton.hidden = true;
    this.stopButton.hidden = false;
    this.stopButton.focus();
    this.progress.textContent = "Playing the first games …";
    fill(this.results);
    const { spec, parameters, with: transforms } = this.session.record;
    const theme = darkScheme().matches ? "dark" : "light";
    const body = { spec, parameters, with: transforms, theme, seconds: SECONDS };
    requestStream<StudyProgress>("study", body, (one) => this.show(one), control.signal)
      .catch(reportError)
      .finally(() => this.abortController === control && this.onEnd());
  }

  private onEnd(): void {
    announce(`The study is over: ${this.progress.textContent}`);
    const hadFocus = document.activeElement === this.stopButton;
    this.stop();
    if (hadFocus) this.startButton.focus();
  }

  private show(study: StudyProgress): void {
    const { games, total, players } = study;
    this.progress.textContent = `${games} of ${total} games, by ${players.join(", ")} and at random`;
    fill(
      this.results,
      numberTable(study),
      el("p", { class: "note" }, "In brackets: 95 % intervals"),
      el("h3", {}, "Game lengths in plies"),
      lengthTable(study),
      el("h3", {}, "Cells by use"),
      parsePicture(study.svg),
      ...(study.done ? unusedRules(study) : []),
    );
  }
}

function numberTable({ numbers }: StudyProgress): HTMLElement {
  const rows = numbers.map(([name, value]) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)),
  );
  return el("table", { class: "numbers" }, el("tbody", {}, ...rows));
}

function lengthTable({ lengths }: StudyProgress): HTMLElement {
  const highest = Math.max(...lengths.map(([, count]) => count));
  const rows = lengths.map(([plies, count]) => {
    const bar = el("span");
    bar.style.width = `${(100 * count) / highest}%`;
    const shown = el("td", { class: "meter", "aria-hidden": "true" }, bar);
    return el("tr", {}, el("th", { scope: "row" }, plies), el("td", {}, String(count)), shown);
  });
  return el("table", { class: "numbers lengths" }, el("tbody", {}, ...rows));
}

function* unusedRules({ unused }: StudyProgress): Iterable<HTMLElement> {
  if (!unused.length) return;
  yield el("h3", {}, "Rules that no game used");
  yield el("ul", {}, ...unused.map((rule) => el("li", {}, rule)));
}
