/* English draughts on one word: steps and jumps as a set of origins for each direction. If a
   capture is mandatory, the complete chains are generated in the order of the language. */

#ifndef SEATS
#define SEATS 2
#endif
#define DRAWS 32
#include "ruler.h"

#define DARK 0x55aa55aa55aa55aau
#define TOP 0xffu
#define BOTTOM ((u64)0xff << 56)
#define QUIET 80
#define CHAINS 4096

/* Directions in the board's order. On dark cells, no shift wraps around an edge. */
enum { NE, SE, SW, NW };

typedef struct {
    u64 own, enemy, kings;
} Board;

typedef struct {
    Board at;
    u64 from[4]; /* origins of jumps if there are any, else of steps */
    u64 plies, quiet;
    int jumps, winner;
    Board seen[QUIET + 1]; /* the positions since the last capture or move of a man */
    Draws draws;
} Game;

INLINE u64 shifted(u64 x, int direction) {
    return direction == NE ? x >> 7 : direction == SE ? x << 9 : direction == SW ? x << 7 : x >> 9;
}

INLINE u64 back(u64 x, int direction) { return shifted(x, direction ^ 2); }

/* Black moves first, with men down the screen; White moves up. */
INLINE u64 goers(const Board *b, u64 side, int direction) {
    int down = direction == SE || direction == SW;
    return down == !side ? b->own : b->own & b->kings;
}

static void prepare(void) {}

/* Compute the origins of the moves; return if there are any. */
INLINE int find_moves(Game *g) {
    const Board *b = &g->at;
    u64 side = g->plies & 1, empty = DARK & ~(b->own | b->enemy), any = 0;
    for (int d = 0; d < 4; d++) {
        g->from[d] = goers(b, side, d) & back(b->enemy & back(empty, d), d);
        any |= g->from[d];
    }
    g->jumps = any != 0;
    if (any) return 1;
    for (int d = 0; d < 4; d++) {
        g->from[d] = goers(b, side, d) & back(empty, d);
        any |= g->from[d];
    }
    return any != 0;
}

/* Move the piece at `from`; promote a man on the far row. */
INLINE Board carried(Board b, u64 from, u64 to, u64 side) {
    u64 far = side ? TOP : BOTTOM;
    b.own ^= from ^ to;
    b.kings = (b.kings & from ? b.kings ^ from ^ to : b.kings) | (to & far);
    return b;
}

/* Append a jump and all its continuations to the `count` chains of the list. */
static int list_chains(Board b, u64 from, int direction, u64 side, Board *list, int count) {
    u64 over = shifted(from, direction), to = shifted(over, direction);
    int man = !(b.kings & from), first = count;
    b = carried(b, from, to, side);
    b.enemy ^= over, b.kings &= ~over;
    if (!(man && (b.kings & to))) {
        u64 empty = DARK & ~(b.own | b.enemy);
        for (int d = 0; d < 4; d++) {
            int down = d == SE || d == SW;
            if ((down == !side || (b.kings & to)) && shifted(shifted(to, d) & b.enemy, d) & empty)
                count = list_chains(b, to, d, side, list, count);
        }
    }
    if (count == CHAINS) abort();
    if (count == first) list[count++] = b;
    return count;
}

static Board drawn_chain(Game *g) {
    Board list[CHAINS];
    int count = 0;
    for (int d = 0; d < 4; d++)
        for (u64 left = g->from[d]; left; left &= left - 1)
            count = list_chains(g->at, left & -left, d, g->plies & 1, list, count);
    return list[below(&g->draws, (u64)count)];
}

INLINE Board drawn_step(Game *g) {
    u64 ne = (u64)popcount(g->from[NE]), se = (u64)popcount(g->from[SE]);
    u64 sw = (u64)popcount(g->from[SW]), nw = (u64)popcount(g->from[NW]);
    u64 k = below(&g->draws, ne + se + sw + nw);
    /* a set has at most 12 bits: an index beyond them, or below zero, selects none */
    u64 a = nth_bit(g->from[NE], k), b = nth_bit(g->from[SE], (k - ne) & 63);
    u64 c = nth_bit(g->from[SW], (k - ne - se) & 63);
    u64 d = nth_bit(g->from[NW], (k - ne - se - sw) & 63);
    u64 to = shifted(a, NE) | shifted(b, SE) | shifted(c, SW) | shifted(d, NW);
    return carried(g->at, a | b | c | d, to, g->plies & 1);
}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->at = (Board){DARK & 0xffffffu, DARK & (u64)0xffffff << 40, 0};
    g->plies = g->quiet = 0;
    draws_of(&g->draws, seed, number);
    g->seen[0] = g->at;
    find_moves(g);
}

INLINE int same(const Board *a, const Board *b) {
    return a->own == b->own && a->enemy == b->enemy && a->kings == b->kings;
}

/* True for the third time of a position; only every second one has the same player to move. */
INLINE int repeats(const Game *g) {
    int times = 0;
    for (u64 i = g->quiet & 1; i < g->quiet; i += 2) times += same(&g->seen[i], &g->at);
    return times >= 2;
}

INLINE int step(Game *g) {
    u64 men = g->at.own & ~g->at.kings;
    Board next = g->jumps ? drawn_chain(g) : drawn_step(g);
    g->quiet = g->jumps || men & ~next.own ? 0 : g->quiet + 1;
    g->at = (Board){next.enemy, next.own, next.kings};
    g->seen[g->quiet] = g->at;
    g->plies++;
    if (!find_moves(g)) {
        g->winner = (int)(g->plies & 1) ^ 1;
        return 1;
    }
    g->winner = DRAW;
    return repeats(g) || g->quiet >= QUIET;
}

INLINE void finish(const Game *g, Tally *tally) {
    u64 side = g->plies & 1, kings = g->at.kings;
    u64 black = side ? g->at.enemy : g->at.own, white = side ? g->at.own : g->at.enemy;
    const u64 words[9] = {black & ~kings, white & ~kings, 0, black & kings, white & kings, 0,
                          side, 0, g->quiet};
    u64 sum = mix(g->plies << 8 | (u64)(g->winner + 2));
    for (int i = 0; i < 9; i++) sum = mix(sum ^ words[i]);
    record(tally, g->winner, g->plies);
    tally->checksum += sum;
}

PLAYOUTS
