// The gallery of bundled games in groups, with a text search and a filter by tags. The history
// entry stores the search and the scroll position, and "back" restores both.

import { pictureUrl } from "./api";
import { IS_STATIC } from "./backend";
import { button, el, fill } from "./dom";
import type { Catalogue, GameEntry } from "./protocol";

const MAX_RETRIES = 5; // of the request for a picture
const MIN_GAMES = 2; // games of a tag in the filter
const SCROLL_PAUSE = 150; // milliseconds from the last scroll event to the update of the history
const OTHER_GROUP = "Other games";
const CARD_VIEW = IS_STATIC ? "edit" : "play"; // the site has a page of its own to play each game
// The groups in their order, by tag.
const GROUPS: readonly (readonly [tag: string, title: string])[] = [
  ["chess", "Chess"],
  ["draughts", "Draughts"],
  ["go", "Go"],
  ["alignment", "In a row"],
  ["flipping", "Flipping"],
  ["connection", "Connection"],
  ["race", "Race"],
  ["dice", "Dice"],
  ["mancala", "Mancala"],
  ["capture", "Capture"],
  ["hunt", "Hunt"],
  ["blocking", "Blocking"],
  ["puzzle", "Puzzles"],
  ["hidden information", "Hidden information"],
];

interface GameCard {
  entry: string;
  searchText: string;
  tags: string[];
  group: string;
  card: HTMLElement;
}

/** The search and the scroll position in an entry of the history. */
interface GalleryState {
  text: string;
  tag: string;
  top: number;
}

export class Gallery {
  private readonly cards = new Map<string, GameCard>();
  private readonly results = el("div", { class: "groups" });
  private readonly count = el("p", { class: "count", role: "status" });
  private readonly chips = el("div", {
    class: "chips",
    role: "toolbar",
    "aria-label": "Tags",
    keydown: (event) => this.moveFocus(event as KeyboardEvent),
  });
  private readonly search = el("input", {
    type: "search",
    placeholder: "Search: checkers, dice, hexagons …",
    "aria-label": "Search the games",
    input: () => this.filter(true),
  });
  private tag = "";
  /** The scroll position to restore after the games are rendered. */
  private scrollTop: number | null;
  private scrollTimer = 0;
  private readonly onScroll = () => {
    clearTimeout(this.scrollTimer);
    this.scrollTimer = setTimeout(() => this.saveState(), SCROLL_PAUSE);
  };
  readonly element = el(
    "div",
    { class: "gallery" },
    el("h1", {}, "Board games from their rules"),
    el("p", { class: "lead" }, "Play a game, read its rules, change them, and share your game."),
    el(
      "div",
      { class: "row" },
      this.search,
      el("a", { class: "button", href: "#edit/new" }, "Write a new game"),
    ),
    this.chips,
    this.count,
    this.results,
  );

  constructor() {
    const { text, tag, top } = savedState();
    this.search.value = text;
    this.tag = tag;
    this.scrollTop = top || null;
    history.scrollRestoration = "manual";
    addEventListener("scroll", this.onScroll, { passive: true });
  }

  /** Render the games; a later call updates the cards that have changed. */
  show({ games }: Catalogue): void {
    for (const game of games) {
      const entry = JSON.stringify(game);
      if (this.cards.get(game.name)?.entry === entry) continue;
      const { tags = [], group = "" } = game;
      this.cards.set(game.name, { entry, searchText: searchText(game), tags, group, card: createCard(game) });
    }
    this.showTags();
    this.filter(false);
    if (this.scrollTop !== null) scrollTo(0, this.scrollTop);
    this.scrollTop = null;
  }

  /** Remove the listeners and cancel pending pictures, which would delay later requests. */
  close(): void {
    clearTimeout(this.scrollTimer);
    removeEventListener("scroll", this.onScroll);
    history.scrollRestoration = "auto";
    for (const picture of this.element.querySelectorAll("img")) {
      if (!picture.complete) picture.removeAttribute("src");
    }
    scrollTo(0, 0);
  }

  /** Store the search and the scroll position in the entry of the history. */
  private saveState(): void {
    if (!this.element.isConnected || !isGallery()) return;
    const gallery: GalleryState = { text: this.search.value, tag: this.tag, top: Math.round(scrollY) };
    history.replaceState({ gallery }, "");
  }

  /** Show the tags of at least two games and at most half of them; tags of groups come first. */
  private showTags(): void {
    const counts = new Map<string, number>();
    for (const { tags } of this.cards.values()) {
      for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    const groups = GROUPS.map(([tag]) => tag);
    const others = [...counts.keys()].filter((tag) => !groups.includes(tag)).sort();
    const isSelective = (count: number) => count >= MIN_GAMES && 2 * count < this.cards.size;
    const shownTags = [...groups, ...others].filter((tag) => isSelective(counts.get(tag) ?? 0));
    const focusedTag = document.activeElement?.getAttribute("data-tag");
    fill(
      this.chips,
      ...shownTags.map((tag) =>
        button(tag, () => this.toggleTag(tag), {
          "data-tag": tag,
          tabindex: tag === (this.tag || shownTags[0]) ? 0 : -1,
          "aria-pressed": tag === this.tag ? "true" : "false",
        }),
      ),
    );
    if (focusedTag) this.chip(focusedTag)?.focus();
  }

  /** Move the focus between tags by arrow keys (roving tabindex). */
  private moveFocus(event: KeyboardEvent): void {
    const chips = [...this.chips.querySelectorAll("button")];
    const at = chips.findIndex((chip) => chip === document.activeElement);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = step && at >= 0 ? chips[(at + step + chips.length) % chips.length] : null;
    if (!next) return;
    for (const chip of chips) chip.tabIndex = chip === next ? 0 : -1;
    next.focus();
    event.preventDefault();
  }

  private chip(tag: string): HTMLButtonElement | null {
    return this.chips.querySelector(`[data-tag="${CSS.escape(tag)}"]`);
  }

  private toggleTag(tag: string): void {
    this.tag = tag === this.tag ? "" : tag;
    for (const chip of this.chips.querySelectorAll("button")) {
      chip.setAttribute("aria-pressed", String(chip.dataset["tag"] === this.tag));
    }
    this.filter(true);
  }

  private filter(isUserAction: boolean): void {
    const terms = normalize(this.search.value).split(/\s+/).filter(Boolean);
    const matches = [...this.cards.values()].filter(
      ({ searchText, tags }) =>
        terms.every((word) => searchText.includes(word)) && (!this.tag || tags.includes(this.tag)),
    );
    fill(this.results, ...groupSections(matches));
    this.count.textContent = matches.length === 1 ? "1 game" : `${matches.length} games`;
    if (isUserAction) this.saveState();
  }
}

/** Return the games in sections with the titles of their groups. */
function groupSections(games: GameCard[]): HTMLElement[] {
  const titles = [...GROUPS.map(([, title]) => title), OTHER_GROUP];
  const titled = new Map<string, HTMLElement[]>(titles.map((title) => [title, []]));
  for (const { group, card } of games) {
    const title = GROUPS.find(([tag]) => tag === group)?.[1] ?? OTHER_GROUP;
    titled.get(title)!.push(card);
  }
  return [...titled]
    .filter(([, cards]) => cards.length)
    .map(([title, cards]) =>
      el("section", {}, el("h2", {}, title), el("ul", { class: "games" }, ...cards)),
    );
}

function isGallery(): boolean {
  return location.hash.length <= 1;
}

/** Return the state in the entry of the history; empty if there is none. */
function savedState(): GalleryState {
  const state = history.state as { gallery?: Partial<GalleryState> } | null;
  const { text, tag, top } = state?.gallery ?? {};
  return {
    text: typeof text === "string" ? text : "",
    tag: typeof tag === "string" ? tag : "",
    top: typeof top === "number" ? top : 0,
  };
}

/** Convert to lower case without accents. */
function normalize(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function searchText({
  name,
  title,
  summary = "",
  tags = [],
  aliases = [],
  players = [],
  parameters = [],
}: GameEntry): string {
  const parameterNames = parameters.map((one) => one.name);
  return normalize([name, title, summary, ...tags, ...aliases, ...players, ...parameterNames].join(" "));
}

function createCard({ name, title, summary = "", tags = [] }: GameEntry): HTMLElement {
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#${CARD_VIEW}/${encodeURIComponent(name)}`, class: "card" },
      el("span", { class: "picture" }, createPicture(name)),
      el("span", { class: "title" }, title),
      el("span", { class: "summary" }, summary.charAt(0).toUpperCase() + summary.slice(1)),
      el("span", { class: "tags" }, ...tags.map((label) => el("span", {}, label))),
    ),
  );
}

/** Create the picture of a game; a failed request is sent again after increasing delays. */
function createPicture(name: string): HTMLImageElement {
  const src = pictureUrl(name);
  let attempt = 0;
  const image = el("img", {
    src,
    alt: "",
    loading: "lazy",
    width: 200,
    height: 200,
    error: () => {
      attempt += 1;
      if (attempt <= MAX_RETRIES) setTimeout(() => image.isConnected && (image.src = src), attempt * 1000);
    },
  });
  return image;
}
