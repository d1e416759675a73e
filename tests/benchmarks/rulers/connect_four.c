/* Connect Four, 6 rows of 7 with a spare column. The landing cells are updated incrementally;
   lines are searched among the discs of the last mover. */

#define PERFT
#ifndef SEATS
#define SEATS 4
#endif
#define DRAWS 48
#include "ruler.h"

#define BOARD 0x00007f7f7f7f7f7fu
#define BOTTOM 0x00007f0000000000u

typedef struct {
    u64 own, enemy, landing, plies;
    int winner;
    Draws draws;
} Game;

static void prepare(void) {}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->own = g->enemy = g->plies = 0;
    g->landing = BOTTOM;
    draws_of(&g->draws, seed, number);
}

INLINE int has_line(u64 x) {
    __m256i all = _mm256_set1_epi64x((long long)x);
    __m256i two = _mm256_and_si256(all, _mm256_srlv_epi64(all, _mm256_setr_epi64x(1, 7, 8, 9)));
    return _mm256_test_epi64_mask(
        two, _mm256_srlv_epi64(two, _mm256_setr_epi64x(2, 14, 16, 18)));
}

INLINE int step(Game *g) {
    u64 bit = nth_bit(g->landing, below(&g->draws, (u64)popcount(g->landing)));
    u64 own = g->own | bit, landing = (g->landing ^ bit) | bit >> 8;
    g->own = g->enemy, g->enemy = own, g->landing = landing;
    g->plies++;
    int line = has_line(own);
    if (__builtin_expect(line | (landing == 0), 0)) {
        g->winner = line ? (int)(g->plies & 1) ^ 1 : DRAW;
        return 1;
    }
    return 0;
}

INLINE void finish(const Game *g, Tally *tally) {
    u64 side = g->plies & 1;
    u64 first = side ? g->enemy : g->own, second = side ? g->own : g->enemy;
    record(tally, g->winner, g->plies);
    tally->checksum += checksum64(_pext_u64(first, BOARD), _pext_u64(second, BOARD), side,
                                  g->winner, g->plies);
}

PLAYOUTS

static u64 count(u64 own, u64 enemy, u64 landing, int depth, int bulk) {
    if (depth == 1 && bulk) return (u64)popcount(landing);
    u64 nodes = 0;
    for (u64 left = landing; left; left &= left - 1) {
        u64 bit = left & -left, mine = own | bit;
        if (depth == 1) leaves += enemy ^ mine >> 1, nodes++;
        else if (!has_line(mine))
            nodes += count(enemy, mine, (landing ^ bit) | bit >> 8, depth - 1, bulk);
    }
    return nodes;
}

static u64 perft(int depth, int bulk) {
    return depth == 0 ? 1 : count(0, 0, BOTTOM, depth, bulk);
}
