/* Hex, 11 x 11, no swap: sets of cells in two words. The component of a side's near edge grows
   incrementally, each stone once. Four bits beyond the cells represent the edges. */

#ifndef SEATS
#define SEATS 4
#endif
#define DRAWS 128
#include "ruler.h"

#define N 11
#define CELLS (N * N)

enum { TOP = CELLS, LEFT, BOTTOM, RIGHT };

typedef struct {
    u64 free[2], first, plies;
    u64 sets[2][2], joined[2][2];
    int winner;
    Draws draws;
} Game;

/* The neighbours of a cell, including edges. */
static u64 AROUND[CELLS][2];

static void prepare(void) {
    static const int dr[6] = {-1, -1, 0, 0, 1, 1}, dc[6] = {0, 1, -1, 1, -1, 0};
    for (int cell = 0; cell < CELLS; cell++)
        for (int d = 0; d < 6; d++) {
            int r = cell / N + dr[d], c = cell % N + dc[d];
            if (r >= 0 && r < N && c >= 0 && c < N) {
                AROUND[cell][(r * N + c) / 64] |= (u64)1 << (r * N + c) % 64;
                continue;
            }
            int row_edge = r < 0 ? TOP : BOTTOM, column_edge = c < 0 ? LEFT : RIGHT;
            if (r < 0 || r >= N) AROUND[cell][1] |= (u64)1 << (row_edge - 64);
            if (c < 0 || c >= N) AROUND[cell][1] |= (u64)1 << (column_edge - 64);
        }
}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->free[0] = ~(u64)0, g->free[1] = ((u64)1 << (CELLS - 64)) - 1;
    g->first = 64, g->plies = 0;
    memset(g->sets, 0, sizeof g->sets);
    memset(g->joined, 0, sizeof g->joined);
    g->joined[0][1] = (u64)1 << (TOP - 64);
    g->joined[1][1] = (u64)1 << (LEFT - 64);
    draws_of(&g->draws, seed, number);
}

/* Add a stone and the stones connected to it; return the high word of their neighbours. */
INLINE u64 join(const u64 *own, u64 *joined, int cell) {
    u64 low = own[0] & ~joined[0], high = own[1] & ~joined[1];
    u64 next_low = cell < 64 ? (u64)1 << cell : 0, next_high = cell < 64 ? 0 : (u64)1 << (cell - 64);
    u64 seen = 0;
    do {
        int at = next_low ? lowest(next_low) : 64 + lowest(next_high);
        u64 rest = next_low & (next_low - 1);
        next_high = next_low ? next_high : next_high & (next_high - 1);
        low &= ~(u64)((u64)(at < 64) << (at & 63)), high &= ~(u64)((u64)(at >= 64) << (at & 63));
        seen |= AROUND[at][1];
        next_low = rest | (AROUND[at][0] & low);
        next_high = next_high | (AROUND[at][1] & high);
    } while (next_low | next_high);
    joined[0] |= own[0] & ~low, joined[1] |= own[1] & ~high;
    return seen;
}

INLINE int step(Game *g) {
    u64 k = below(&g->draws, CELLS - g->plies);
    int word = k >= g->first;
    u64 bit = nth_bit(g->free[word], k - (word ? g->first : 0));
    g->free[word] ^= bit;
    g->first -= (u64)(1 - word);
    int side = (int)(g->plies++ & 1);
    g->sets[side][word] |= bit;
    int cell = 64 * word + lowest(bit);
    u64 *joined = g->joined[side];
    if (((AROUND[cell][0] & joined[0]) | (AROUND[cell][1] & joined[1])) == 0) return 0;
    g->winner = side;
    return (join(g->sets[side], joined, cell) >> (BOTTOM - 64 + side) & 1) != 0;
}

INLINE void finish(const Game *g, Tally *tally) {
    record(tally, g->winner, g->plies);
    tally->checksum +=
        checksum_wide(g->sets[0], g->sets[1], 2, g->plies & 1, g->winner, g->plies);
}

PLAYOUTS
