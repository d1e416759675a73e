// The page: a fragment says what is shown, `#play/othello` or a game of its own, `#edit/~…`.

import { ApiError, request, fetchCatalogue } from "./api";
import { IS_STATIC } from "./backend";
import { el, fill } from "./dom";
import type { Child } from "./dom";
import { UserError } from "./errors";
import { Gallery } from "./gallery";
import { reportError, runAsync } from "./notices";
import type { Catalogue, GameRecord, LinkedGame, Position } from "./protocol";
import { Room, RoomSession } from "./room";
import { darkScheme, Session } from "./session";
import type { FetchPosition } from "./session";
import { fromFragment, LinkError, decodeName, toFragment } from "./share";
import { NEW_SPEC } from "./template";
import { MODES, Workspace, tellProblem } from "./workspace";
import type { Mode } from "./workspace";

const AGAIN = 1500; // milliseconds, until the server is asked for what it did not know yet
const SLOW = 500; // milliseconds, until somebody who sees nothing yet is told to wait
const WAIT = IS_STATIC
  ? "One moment: the rules engine is being loaded, some 6 MB the first time."
  : "One moment: the rules are being read.";
const LABELS: Record<Mode, string> = { play: "Play", edit: "Edit", analyse: "Analyse" };

const look: FetchPosition = (record, theme) =>
  request<Position>("position", { ...record, theme, marks: { last: true } });

class Page {
  private readonly main = document.getElementById("main")!;
  private readonly views = document.getElementById("views")!;
  private known: Catalogue | null = null;
  private session: Session | null = null;
  private workspace: Workspace | null = null;
  private gallery: Gallery | null = null;
  private named = ""; // the part of the address that names the game shown
  private writing = 0;

  /** Shows what the address says. */
  async show(): Promise<void> {
    const [mode, ...rest] = location.hash.slice(1).split("/");
    const named = rest.join("/");
    if (mode === "room" && named) return this.enterRoom(named);
    if (!isMode(mode) || !named) return this.showGallery();
    const isShown = named === this.named && this.workspace;
    if (!isShown || (mode !== "edit" && !this.session?.position)) await this.open(named, mode);
    this.mark(mode);
    if (this.workspace) await this.workspace.enter(mode);
  }

  private async showGallery(): Promise<void> {
    this.leave();
    document.title = "rulesengine";
    fill(this.views);
    if (location.hash && location.hash !== "#") history.replaceState(null, "", "#");
    const gallery = new Gallery();
    this.gallery = gallery;
    this.put(gallery.element);
    for (;;) {
      this.known ??= await fetchCatalogue();
      gallery.show(this.known);
      if (this.known.complete) return;
      this.known = null;
      await new Promise((done) => setTimeout(done, AGAIN));
      if (!gallery.element.isConnected) return;
    }
  }

  /** Puts a view in the place of the last one; a focus within that goes to where the new one begins. */
  private put(view: HTMLElement): void {
    const hadFocus = this.main.contains(document.activeElement);
    fill(this.main, view);
    if (hadFocus) this.main.focus({ preventScroll: true });
  }

  /** Stops what the last view still does. */
  private leave(): void {
    clearTimeout(this.writing);
    this.gallery?.leave();
    this.workspace?.leave();
    this.gallery = this.workspace = this.session = null;
    this.named = "";
  }

  /** Follows the reader's system, and the keys that no view takes for itself. */
  watch(): void {
    darkScheme().addEventListener("change", () => runAsync(async () => this.session?.refresh()));
    document.addEventListener("keydown", (event) => this.workspace?.pressed(event));
  }

  /** Opens the game that an address names; to be edited it need not be one yet. */
  private async open(named: string, mode: Mode): Promise<void> {
    const { setup = {}, settled = null, ...record } = await readName(named);
    const session = new Session(record, look);
    Object.assign(session, { setup, settled });
    const workspace = new Workspace(session);
    session.listen((position) => {
      this.write();
      if (position.moves.length < session.ply) tellProblem(position);
    });
    const waiting = setTimeout(() => this.tellToWait(), SLOW);
    try {
      await session.refresh();
    } catch (error) {
      if (!isUnfinished(error, record)) throw error;
      if (mode !== "edit") throw new Unfinished(error.message);
    } finally {
      clearTimeout(waiting);
    }
    this.leave();
    this.named = named;
    this.session = session;
    this.workspace = workspace;
    this.put(workspace.element);
    const { left } = (history.state ?? {}) as { left?: Record<string, number> };
    if (left) workspace.restoreTime(left);
  }

  /** Opens a room: takes a free seat or watches, and follows the game there. */
  private async enterRoom(id: string): Promise<void> {
    if (this.named === `room/${id}`) return;
    if (IS_STATIC) throw new UserError("a game between devices needs the server of `rulesengine serve`");
    this.leave();
    fill(this.main);
    const room = new Room(id);
    await room.join();
    await room.watch();
    const session = new RoomSession({ ...room.latest!.game, moves: [] }, look, room);
    session.record = { ...session.record, parameters: room.latest!.game.parameters ?? {} };
    const workspace = new Workspace(session);
    await session.apply(room.latest!);
    room.listen((seen) => seen && runAsync(() => session.apply(seen)));
    this.named = `room/${id}`;
    this.session = session;
    this.workspace = workspace;
    fill(this.views, el("a", { href: "#" }, "Games"));
    this.put(workspace.element);
    await workspace.enter("play");
  }

  private tellToWait(): void {
    if (!this.main.children.length) fill(this.main, lost(WAIT));
  }

  /** Links to the views of the game shown. */
  private mark(mode: Mode): void {
    const links = MODES.map((one) =>
      el(
        "a",
        { href: `#${one}/${this.named}`, "aria-current": one === mode ? "page" : undefined },
        LABELS[one],
      ),
    );
    fill(this.views, el("a", { href: "#" }, "Games"), ...links);
  }

  /** Keeps the address up with the game, so that a reload shows it again. */
  private write(): void {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => runAsync(() => this.rename()), 200);
  }

  private async rename(): Promise<void> {
    const session = this.session;
    if (!session) return;
    const named = await nameOf(session.linked);
    const [mode, ...rest] = location.hash.slice(1).split("/");
    // Meanwhile the reader may have gone elsewhere, or be on the way.
    if (session !== this.session || rest.join("/") !== this.named || !isMode(mode)) return;
    this.named = named;
    const left = this.workspace?.timeLeft ?? {};
    history.replaceState({ left }, "", `#${mode}/${named}`);
    this.mark(mode);
  }
}

function isMode(text: string | undefined): text is Mode {
  return MODES.some((mode) => mode === text);
}

async function readName(named: string): Promise<LinkedGame> {
  if (named === "new") return { spec: { text: NEW_SPEC }, parameters: {}, moves: [] };
  if (named.startsWith("~")) return fromFragment(named.slice(1));
  return { spec: { name: decodeName(named) }, parameters: {}, moves: [] };
}

/** A text of a link's own has mistakes. */
class Unfinished extends UserError {}

function isUnfinished(error: unknown, { spec }: GameRecord): error is ApiError {
  return error instanceof ApiError && error.kind === "spec" && "text" in spec;
}

function lost(...said: Child[]): HTMLElement {
  return el("p", { class: "lost" }, ...said);
}

async function nameOf(record: LinkedGame): Promise<string> {
  const { spec, parameters, moves, start, with: transforms = [], setup } = record;
  const isVariant = Object.keys(parameters).length || transforms.length || start;
  const isChanged = moves.length || isVariant || setup;
  return "name" in spec && !isChanged ? spec.name : `~${await toFragment(record)}`;
}

/** Why there is no game to look at, as sentences. */
function reason(error: unknown): string {
  if (error instanceof LinkError) return error.message;
  return `This game cannot be shown${error instanceof UserError ? `: ${error.message}` : ""}.`;
}

const page = new Page();

function show(): void {
  page.show().catch((error: unknown) => {
    reportError(error);
    const main = document.getElementById("main")!;
    if (main.querySelector(":scope > :not(.lost)")) return; // there is something else to look at
    const named = location.hash.split("/").slice(1).join("/");
    const mend = el("a", { href: `#edit/${named}` }, "Mend its rules");
    const ways = error instanceof Unfinished ? [mend, " "] : [];
    fill(main, lost(reason(error), " ", ...ways, el("a", { href: "#" }, "See all games")));
  });
}

fill(document.getElementById("main")!);
page.watch();
addEventListener("hashchange", show);
show();
