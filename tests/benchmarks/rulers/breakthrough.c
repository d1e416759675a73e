/* Breakthrough, 8 x 8: three masks of origins, straight and two diagonals, in the order of the
   language. White moves to lower bits (up the screen), Black to higher ones. */

#define PERFT
#ifndef SEATS
#define SEATS 6
#endif
#define DRAWS 64
#include "ruler.h"

#define LEFT 0x0101010101010101u
#define RIGHT 0x8080808080808080u

typedef struct {
    u64 white, black, plies;
    int winner;
    Draws draws;
} Game;

/* The origins of the moves of a side in the order of its groups, and their shifts. */
typedef struct {
    u64 ahead, first, second;
} Origins;

static void prepare(void) {}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->white = 0xffffu << 16;
    g->white <<= 32;
    g->black = 0xffffu;
    g->plies = 0;
    draws_of(&g->draws, seed, number);
}

/* Straight; then north-east before north-west, south-east before south-west. */
INLINE Origins white_origins(u64 white, u64 black) {
    u64 open = ~white;
    return (Origins){white & (open & ~black) << 8, white & ~RIGHT & open << 7,
                     white & ~LEFT & open << 9};
}

INLINE Origins black_origins(u64 black, u64 white) {
    u64 open = ~black;
    return (Origins){black & (open & ~white) >> 8, black & ~RIGHT & open >> 9,
                     black & ~LEFT & open >> 7};
}

/* The drawn move as one bit in one of the three sets. An index beyond a set's moves, or one that
   wrapped around below zero, selects no bit: a set has at most 16. */
INLINE Origins drawn(Draws *draws, Origins o) {
    u64 a = (u64)popcount(o.ahead), b = (u64)popcount(o.first), c = (u64)popcount(o.second);
    u64 k = below(draws, a + b + c);
    return (Origins){nth_bit(o.ahead, k), nth_bit(o.first, (k - a) & 63),
                     nth_bit(o.second, (k - a - b) & 63)};
}

/* Two plies, White's and Black's. The game ends at the far row or with the last capture. A side
   with a piece always has a move: that of its foremost piece. */
INLINE int step(Game *g) {
    Origins from = drawn(&g->draws, white_origins(g->white, g->black));
    u64 to = from.ahead >> 8 | from.first >> 7 | from.second >> 9;
    u64 white = g->white ^ from.ahead ^ from.first ^ from.second ^ to, black = g->black & ~to;
    g->plies++;
    if (__builtin_expect((white & 0xffu) != 0 || black == 0, 0)) {
        g->white = white, g->black = black, g->winner = 0;
        return 1;
    }
    from = drawn(&g->draws, black_origins(black, white));
    to = from.ahead << 8 | from.first << 9 | from.second << 7;
    g->black = black ^ from.ahead ^ from.first ^ from.second ^ to, g->white = white & ~to;
    g->plies++;
    g->winner = 1;
    return (g->black >> 56) != 0 || g->white == 0;
}

INLINE void finish(const Game *g, Tally *tally) {
    record(tally, g->winner, g->plies);
    tally->checksum += checksum64(g->white, g->black, g->plies & 1, g->winner, g->plies);
}

PLAYOUTS

static u64 count(u64 white, u64 black, int side, int depth, int bulk) {
    Origins o = side ? black_origins(black, white) : white_origins(white, black);
    u64 sets[3] = {o.ahead, o.first, o.second}, nodes = 0;
    if (depth == 1 && bulk)
        return (u64)(popcount(o.ahead) + popcount(o.first) + popcount(o.second));
    for (int group = 0; group < 3; group++)
        for (u64 left = sets[group]; left; left &= left - 1) {
            u64 from = left & -left;
            u64 to = side ? from << (group == 0 ? 8 : group == 1 ? 9 : 7)
                          : from >> (group == 0 ? 8 : group == 1 ? 7 : 9);
            u64 w = side ? white & ~to : white ^ from ^ to;
            u64 b = side ? black ^ from ^ to : black & ~to;
            if (depth == 1) leaves += w ^ b >> 1, nodes++;
            else if (!(w & 0xffu) && !(b >> 56) && w && b)
                nodes += count(w, b, side ^ 1, depth - 1, bulk);
        }
    return nodes;
}

static u64 perft(int depth, int bulk) {
    Game g;
    start(&g, 0, 0);
    return depth == 0 ? 1 : count(g.white, g.black, 0, depth, bulk);
}
