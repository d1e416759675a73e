/* Gomoku, 15 x 15, five or more: free cells in four words with their counts; the stones of each
   side along rows, columns and both diagonals, 16 lines of 16 bits each. A diagonal shares its
   word with the one 16 further on, always with a zero bit between them. */

#ifndef SEATS
#define SEATS 1
#endif
#define DRAWS 32
#include "ruler.h"

#define N 15
#define CELLS (N * N)

typedef struct {
    u64 free[4];
    u16 lines[2][4][16];
    u64 before[4]; /* the number of free cells in the words before each */
    u64 plies;
    int winner;
    Draws draws;
} Game;

typedef struct {
    u8 row, column, down, up;
} Place;

static Place PLACE[256];

static void prepare(void) {
    for (int i = 0; i < CELLS; i++) {
        int r = i / N, c = i % N;
        PLACE[i] = (Place){(u8)r, (u8)c, (u8)((c - r) & 15), (u8)((c + r) & 15)};
    }
}

INLINE void start(Game *g, u64 seed, u64 number) {
    memset(g->lines, 0, sizeof g->lines);
    for (int i = 0; i < 4; i++) g->free[i] = i < 3 ? ~(u64)0 : ((u64)1 << (CELLS - 192)) - 1;
    for (int i = 0; i < 4; i++) g->before[i] = 64 * (u64)i;
    g->plies = 0, g->winner = DRAW;
    draws_of(&g->draws, seed, number);
}

INLINE int step(Game *g) {
    u64 k = below(&g->draws, CELLS - g->plies);
    int a = k >= g->before[1], b = k >= g->before[2], c = k >= g->before[3];
    int word = a + b + c;
    u64 bit = nth_bit(g->free[word], k - g->before[word]);
    g->free[word] ^= bit;
    g->before[1] -= (u64)(1 - a), g->before[2] -= (u64)(1 - b), g->before[3] -= (u64)(1 - c);
    Place p = PLACE[64 * word + lowest(bit)];
    u16(*lines)[16] = g->lines[g->plies & 1];
    u64 column = lines[1][p.column] |= (u16)(1u << p.row);
    u64 row = lines[0][p.row] |= (u16)(1u << p.column);
    u64 down = lines[2][p.down] |= (u16)(1u << p.row);
    u64 up = lines[3][p.up] |= (u16)(1u << p.row);
    u64 all = row | column << 16 | down << 32 | up << 48;
    all &= all >> 1;
    all &= all >> 2 & all >> 3;
    g->plies++;
    if (__builtin_expect(all != 0, 0)) {
        g->winner = (int)(g->plies & 1) ^ 1;
        return 1;
    }
    return g->plies == CELLS;
}

INLINE void finish(const Game *g, Tally *tally) {
    u64 sets[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int side = 0; side < 2; side++)
        for (int r = 0; r < N; r++) {
            u64 row = g->lines[side][0][r];
            int at = r * N;
            sets[side][at >> 6] |= row << (at & 63);
            if ((at & 63) > 64 - N) sets[side][(at >> 6) + 1] |= row >> (64 - (at & 63));
        }
    record(tally, g->winner, g->plies);
    tally->checksum += checksum_wide(sets[0], sets[1], 4, g->plies & 1, g->winner, g->plies);
}

PLAYOUTS
