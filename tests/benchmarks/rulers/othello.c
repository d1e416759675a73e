/* Othello on one word, up to 64 cells (-DROWS=6 -DCOLUMNS=6): eight directions in the lanes of a
   register for the legal moves, two times four rays from tables for the flipped discs.

   Variants: -DDIRECTIONS=bits of clockwise directions from north, -DSHORTEST=2 (runs of two and
   more), -DREMOVE (discs are captured, not flipped), -DHOLES=mask, -DLAST=60 (the last ply; the
   number of plies is then a word of the checksum), -DBLACK=mask and -DWHITE=mask (initial
   position). */

#define PERFT
#ifndef SEATS
#define SEATS 6
#endif
#ifdef REMOVE
#define DRAWS 32
#else
#define DRAWS 64 /* the maximum for a game */
#endif
#include "ruler.h"

#ifndef ROWS
#define ROWS 8
#endif
#ifndef COLUMNS
#define COLUMNS 8
#endif
#ifndef DIRECTIONS
#define DIRECTIONS 0xff
#endif
#ifndef SHORTEST
#define SHORTEST 1
#endif
#ifndef HOLES
#define HOLES 0
#endif

typedef struct {
    u64 own, enemy, moves, plies, side;
    Draws draws;
} Game;

static __m256i UP[64], DOWN[64];
static u64 SECOND[64]; /* the cells two steps away */

#define W COLUMNS
#define CELLS (ROWS * COLUMNS)
#define ROW (((u64)1 << W) - 1)
#define ALL (~(u64)0 >> (64 - CELLS))
#define BOARD (ALL & ~(u64)(HOLES))
/* A flipped disc has a cell beyond it: it is on an inner column or an inner row. */
#define INNER_R (ALL & ~ROW & ALL >> W)
#define INNER_C ((ROW >> 1 & ~(u64)1) * (ALL / ROW))

/* North, north-east, and so on clockwise; lanes 0 to 3 lead to higher cells, 4 to 7 back. */
static const int CLOCK[8] = {2, 3, 4, 5, 6, 7, 0, 1};
#define HAS(clock) ((DIRECTIONS >> (clock) & 1) ? ~(u64)0 : 0)

static void prepare(void) {
    static const int dr[4] = {0, 1, 1, 1}, dc[4] = {1, 1, 0, -1};
    for (int cell = 0; cell < CELLS; cell++) {
        u64 rays[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int d = 0; d < 8; d++) {
            int sign = d < 4 ? 1 : -1, r = cell / W, c = cell % W;
            for (int steps = 1; HAS(CLOCK[d]); steps++) {
                r += sign * dr[d % 4], c += sign * dc[d % 4];
                if (r < 0 || r >= ROWS || c < 0 || c >= W) break;
                rays[d] |= (u64)1 << (W * r + c);
                if (steps == 2) SECOND[cell] |= (u64)1 << (W * r + c);
            }
        }
        UP[cell] = _mm256_loadu_si256((void *)rays);
        DOWN[cell] = _mm256_loadu_si256((void *)(rays + 4));
    }
}

INLINE u64 moves_of(u64 own, u64 enemy) {
    /* Cells are bracketed from the other side: a cell to the east of an own disc and its run of
       enemies captures to the west. */
#define LANE(clock, inner) (long long)(HAS(clock) & (inner))
    const __m512i by = _mm512_setr_epi64(64 - 1, 64 - W - 1, 64 - W, 64 - W + 1, 1, W + 1, W, W - 1);
    const __m512i by2 = _mm512_setr_epi64(64 - 2, 64 - 2 * W - 2, 64 - 2 * W, 64 - 2 * W + 2, 2,
                                          2 * W + 2, 2 * W, 2 * W - 2);
    const __m512i inner = _mm512_setr_epi64(
        LANE(2, INNER_C), LANE(3, INNER_C & INNER_R), LANE(4, INNER_R), LANE(5, INNER_C & INNER_R),
        LANE(6, INNER_C), LANE(7, INNER_C & INNER_R), LANE(0, INNER_R), LANE(1, INNER_C & INNER_R));
    __m512i over = _mm512_and_si512(_mm512_set1_epi64((long long)enemy), inner);
    __m512i run = _mm512_rolv_epi64(_mm512_set1_epi64((long long)own), by);
    run = _mm512_and_si512(run, over);
    if (SHORTEST == 2) run = _mm512_and_si512(_mm512_rolv_epi64(run, by), over);
    __m512i pairs = _mm512_and_si512(over, _mm512_rolv_epi64(over, by));
    /* 0xEA: a & b | c, in the order (shifted, over, run) */
    run = _mm512_ternarylogic_epi64(_mm512_rolv_epi64(run, by), over, run, 0xEA);
    run = _mm512_ternarylogic_epi64(_mm512_rolv_epi64(run, by2), pairs, run, 0xEA);
    run = _mm512_ternarylogic_epi64(_mm512_rolv_epi64(run, by2), pairs, run, 0xEA);
    if (W > 8 || ROWS > 8)
        run = _mm512_ternarylogic_epi64(_mm512_rolv_epi64(run, by2), pairs, run, 0xEA);
    run = _mm512_rolv_epi64(run, by);
    __m256i half = _mm256_or_si256(_mm512_castsi512_si256(run), _mm512_extracti64x4_epi64(run, 1));
    __m128i part = _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    u64 all = (u64)_mm_cvtsi128_si64(_mm_or_si128(part, _mm_unpackhi_epi64(part, part)));
    return all & ~(own | enemy) & BOARD;
}

INLINE u64 turned(u64 own, u64 enemy, int cell) {
    if (SHORTEST == 2) own &= ~SECOND[cell];
    __m256i up = UP[cell], down = DOWN[cell];
    __m256i mine = _mm256_set1_epi64x((long long)own);
    __m256i theirs = _mm256_set1_epi64x((long long)enemy);
    /* the first cell of each ray that is not the enemy's; the cells before it flip if it is ours */
    __m256i stop = _mm256_andnot_si256(theirs, up);
    __m256i less = _mm256_add_epi64(stop, _mm256_set1_epi64x(-1));
    __mmask8 hit = _mm256_test_epi64_mask(_mm256_andnot_si256(less, stop), mine);
    __m256i a = _mm256_maskz_and_epi64(hit, up, _mm256_andnot_si256(stop, less));
    __m256i far = _mm256_andnot_si256(theirs, down);
    __m256i top = _mm256_srlv_epi64(_mm256_set1_epi64x((long long)((u64)1 << 63)),
                                    _mm256_lzcnt_epi64(far));
    top = _mm256_and_si256(top, mine);
    __m256i above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(top, top));
    /* 0xF8: a | above & down */
    a = _mm256_ternarylogic_epi64(a, above, down, 0xF8);
    __m128i part = _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    return (u64)_mm_cvtsi128_si64(_mm_or_si128(part, _mm_unpackhi_epi64(part, part)));
}

#define CENTRE(r, c) ((u64)1 << (W * (ROWS / 2 - 1 + (r)) + W / 2 - 1 + (c)))

#ifndef BLACK
#define BLACK (CENTRE(0, 1) | CENTRE(1, 0))
#define WHITE (CENTRE(0, 0) | CENTRE(1, 1))
#endif

/* Place a disc, and flip or capture. */
INLINE u64 placed(u64 own, u64 bit, u64 turn) {
#ifdef REMOVE
    (void)turn;
    return own | bit;
#else
    return (own ^ turn) | bit;
#endif
}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->own = BLACK;
    g->enemy = WHITE;
    g->moves = moves_of(g->own, g->enemy);
    g->plies = g->side = 0;
    draws_of(&g->draws, seed, number);
}

/* Play one ply, a disc or a pass; return if the game is then over. */
INLINE int step(Game *g) {
    u64 moves = g->moves;
    u64 bit = nth_bit(moves, below(&g->draws, (u64)popcount(moves)));
    u64 turn = turned(g->own, g->enemy, lowest(bit));
    u64 own = g->enemy ^ turn, enemy = placed(g->own, bit, turn);
    g->moves = moves_of(own, enemy);
    g->own = own, g->enemy = enemy;
    g->plies++, g->side ^= 1;
#ifdef LAST
    if (g->plies == LAST) return 1;
#endif
    if (__builtin_expect(g->moves != 0, 1)) return 0;
    g->moves = moves_of(enemy, own);
    if (g->moves == 0) return 1;
    g->own = enemy, g->enemy = own;
    g->plies++, g->side ^= 1;
#ifdef LAST
    return g->plies == LAST;
#else
    return 0;
#endif
}

INLINE void finish(const Game *g, Tally *tally) {
    u64 black = g->side ? g->enemy : g->own, white = g->side ? g->own : g->enemy;
    int lead = popcount(black) - popcount(white);
    int winner = lead > 0 ? 0 : lead < 0 ? 1 : DRAW;
    record(tally, winner, g->plies);
    /* holes have no cell index */
    if (HOLES) black = _pext_u64(black, BOARD), white = _pext_u64(white, BOARD);
    u64 sum = checksum64(black, white, g->side, winner, g->plies);
#ifdef LAST
    sum = mix(sum ^ g->plies);
#endif
    tally->checksum += sum;
}

PLAYOUTS

static u64 count(u64 own, u64 enemy, int depth, int bulk) {
    u64 moves = moves_of(own, enemy), nodes = 0;
    if (moves == 0) {
        if (moves_of(enemy, own) == 0) return 0;
        return depth == 1 ? 1 : count(enemy, own, depth - 1, bulk);
    }
    if (depth == 1 && bulk) return (u64)popcount(moves);
    for (; moves; moves &= moves - 1) {
        u64 turn = turned(own, enemy, lowest(moves));
        u64 next = enemy ^ turn, last = placed(own, moves & -moves, turn);
        if (depth == 1) leaves += next ^ last >> 1, nodes++;
        else nodes += count(next, last, depth - 1, bulk);
    }
    return nodes;
}

static u64 perft(int depth, int bulk) {
    Game g;
    start(&g, 0, 0);
    return depth == 0 ? 1 : count(g.own, g.enemy, depth, bulk);
}
