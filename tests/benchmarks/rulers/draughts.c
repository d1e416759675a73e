/* English draughts in 35 bits: one unused bit after every second row, so that a step is a rotation
   by 4 or 5 and leaves no edge. The four directions are the lanes of a register. A jump that cannot
   go on is drawn and made as a step is, without a branch; chains are generated only where a piece
   lands on a cell from which some jump is possible. */

#ifndef SEATS
#define SEATS 2
#endif
#define DRAWS 32
#include "ruler.h"

#define CELLS (0xffu | 0xffu << 9 | 0xffu << 18 | (u64)0xff << 27)
#define DARK 0x55aa55aa55aa55aau
#define TOP 0xfu
#define BOTTOM ((u64)0xf << 31)
#define QUIET 80
#define CHAINS 4096
/* Positions of one player since the last capture or move of a man, in whole registers. */
#define SEEN 48

/* Directions in the board's order. */
enum { NE, SE, SW, NW };
static const u64 TURN[4] = {60, 5, 4, 59};
static const u64 DOWN[2][4] = {{0, ~(u64)0, ~(u64)0, 0}, {~(u64)0, 0, 0, ~(u64)0}};

typedef struct {
    u64 own, enemy, kings;
} Board;

/* Positions by component. */
typedef struct {
    u64 own[SEEN], enemy[SEEN], kings[SEEN];
} Seen;

typedef struct {
    Board at;
    u64 from[4]; /* origins of jumps if there are any, else of steps */
    u64 plies, quiet, count;
    u64 jumps; /* all bits if the moves are jumps */
    int chains, winner;
    Draws draws;
    Seen seen[2];
} Game;

INLINE u64 turned(u64 x, u64 by) { return x << (by & 63) | x >> (-by & 63); }

INLINE u64 shifted(u64 x, int direction) { return turned(x, TURN[direction]); }

INLINE u64 back(u64 x, int direction) { return turned(x, -TURN[direction]); }

static void prepare(void) {}

/* Compute the origins of the moves and their number; return if there are any. If a jump may go on,
   `chains` is set, and the number is unknown. Black moves first, with men down the screen. */
INLINE int find_moves(Game *g) {
    const Board *b = &g->at;
    const __m256i turn = _mm256_loadu_si256((const __m256i *)TURN);
    const __m256i down = _mm256_loadu_si256((const __m256i *)DOWN[g->plies & 1]);
    __m256i own = _mm256_set1_epi64x((long long)b->own);
    __m256i enemy = _mm256_set1_epi64x((long long)b->enemy);
    __m256i kings = _mm256_set1_epi64x((long long)b->kings);
    __m256i empty = _mm256_set1_epi64x((long long)(CELLS & ~(b->own | b->enemy)));
    __m256i goers = _mm256_and_si256(own, _mm256_or_si256(kings, down));
    __m256i next = _mm256_rorv_epi64(empty, turn);
    __m256i over = _mm256_rorv_epi64(_mm256_and_si256(enemy, next), turn);
    __m256i jumps = _mm256_and_si256(goers, over);
    __m256i steps = _mm256_and_si256(goers, next);
    int jumping = !_mm256_testz_si256(jumps, jumps);
    g->jumps = -(u64)jumping;
    __m256i from = _mm256_mask_mov_epi64(steps, (__mmask8)g->jumps, jumps);
    __m256i counts = _mm256_popcnt_epi64(from);
    __m128i pairs = _mm_add_epi64(_mm256_castsi256_si128(counts),
                                  _mm256_extracti128_si256(counts, 1));
    g->count = (u64)_mm_cvtsi128_si64(_mm_add_epi64(pairs, _mm_unpackhi_epi64(pairs, pairs)));
    _mm256_storeu_si256((__m256i *)g->from, from);
    __m256i to = _mm256_rolv_epi64(_mm256_rolv_epi64(jumps, turn), turn);
    __m256i any = _mm256_or_si256(over, _mm256_permute4x64_epi64(over, 0x4e));
    any = _mm256_or_si256(any, _mm256_permute4x64_epi64(any, 0xb1));
    g->chains = !_mm256_testz_si256(to, any);
    return g->count != 0;
}

/* Move the piece at `from`; promote a man on the far row. */
INLINE Board carried(Board b, u64 from, u64 to, u64 side) {
    u64 far = side ? TOP : BOTTOM;
    b.own ^= from ^ to;
    b.kings ^= (from ^ to) & -(u64)((b.kings & from) != 0);
    b.kings |= to & far;
    return b;
}

/* Append a jump and all its continuations to the `count` chains of the list. */
static int list_chains(Board b, u64 from, int direction, u64 side, Board *list, int count) {
    u64 over = shifted(from, direction), to = shifted(over, direction);
    int man = !(b.kings & from), first = count;
    b = carried(b, from, to, side);
    b.enemy ^= over, b.kings &= ~over;
    if (!(man && (b.kings & to))) {
        u64 empty = CELLS & ~(b.own | b.enemy);
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

static __attribute__((noinline)) Board drawn_chain(Game *g) {
    Board list[CHAINS];
    int count = 0;
    for (int d = 0; d < 4; d++)
        for (u64 left = g->from[d]; left; left &= left - 1)
            count = list_chains(g->at, left & -left, d, g->plies & 1, list, count);
    return list[below(&g->draws, (u64)count)];
}

/* A step or a jump that does not go on. */
INLINE Board drawn_step(Game *g) {
    u64 ne = (u64)popcount(g->from[NE]), se = (u64)popcount(g->from[SE]);
    u64 sw = (u64)popcount(g->from[SW]);
    u64 k = below(&g->draws, g->count);
    /* a set has at most 12 bits: an index beyond them, or below zero, selects none */
    u64 a = nth_bit(g->from[NE], k), b = nth_bit(g->from[SE], (k - ne) & 63);
    u64 c = nth_bit(g->from[SW], (k - ne - se) & 63);
    u64 d = nth_bit(g->from[NW], (k - ne - se - sw) & 63);
    u64 next = shifted(a, NE) | shifted(b, SE) | shifted(c, SW) | shifted(d, NW);
    u64 behind = shifted(shifted(a, NE), NE) | shifted(shifted(b, SE), SE) |
                 shifted(shifted(c, SW), SW) | shifted(shifted(d, NW), NW);
    u64 over = next & g->jumps, to = (behind & g->jumps) | (next & ~g->jumps);
    Board made = g->at;
    made.enemy ^= over, made.kings &= ~over;
    return carried(made, a | b | c | d, to, g->plies & 1);
}

INLINE void keep(Seen *seen, u64 i, const Board *b) {
    seen->own[i] = b->own, seen->enemy[i] = b->enemy, seen->kings[i] = b->kings;
}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->at = (Board){_pdep_u64(0xfff, CELLS), _pdep_u64((u64)0xfff << 20, CELLS), 0};
    g->plies = g->quiet = 0;
    draws_of(&g->draws, seed, number);
    keep(&g->seen[0], 0, &g->at);
    find_moves(g);
}

/* True for the third time of a position; only every second one has the same player to move. The
   entries beyond the current one may be those of another game, and are left out. */
INLINE int repeats(const Game *g) {
    const Seen *seen = &g->seen[g->plies & 1];
    u64 n = g->quiet >> 1, times = 0;
    const __m512i own = _mm512_set1_epi64((long long)g->at.own);
    const __m512i enemy = _mm512_set1_epi64((long long)g->at.enemy);
    const __m512i kings = _mm512_set1_epi64((long long)g->at.kings);
    for (u64 i = 0; i < n; i += 8) {
        __mmask8 same = _mm512_cmpeq_epi64_mask(own, _mm512_loadu_si512(seen->own + i));
        same = _mm512_mask_cmpeq_epi64_mask(same, enemy, _mm512_loadu_si512(seen->enemy + i));
        same = _mm512_mask_cmpeq_epi64_mask(same, kings, _mm512_loadu_si512(seen->kings + i));
        times += (u64)popcount(same & (i + 8 > n ? ((u64)1 << (n - i)) - 1 : 0xff));
    }
    return times >= 2;
}

INLINE int step(Game *g) {
    u64 men = g->at.own & ~g->at.kings;
    Board next = __builtin_expect(g->chains, 0) ? drawn_chain(g) : drawn_step(g);
    g->quiet = (g->jumps | (men & ~next.own)) ? 0 : g->quiet + 1;
    g->at = (Board){next.enemy, next.own, next.kings};
    g->plies++;
    if (!find_moves(g)) {
        g->winner = (int)(g->plies & 1) ^ 1;
        return 1;
    }
    g->winner = DRAW;
    if (g->quiet >= 8 && (g->quiet >= QUIET || repeats(g))) return 1;
    keep(&g->seen[g->plies & 1], g->quiet >> 1, &g->at);
    return 0;
}

/* Return a set with the bits of the language's board. */
INLINE u64 on_8x8(u64 x) { return _pdep_u64(_pext_u64(x, CELLS), DARK); }

INLINE void finish(const Game *g, Tally *tally) {
    u64 side = g->plies & 1, kings = on_8x8(g->at.kings);
    u64 own = on_8x8(g->at.own), enemy = on_8x8(g->at.enemy);
    u64 black = side ? enemy : own, white = side ? own : enemy;
    const u64 words[9] = {black & ~kings, white & ~kings, 0, black & kings, white & kings, 0,
                          side, 0, g->quiet};
    u64 sum = mix(g->plies << 8 | (u64)(g->winner + 2));
    for (int i = 0; i < 9; i++) sum = mix(sum ^ words[i]);
    record(tally, g->winner, g->plies);
    tally->checksum += sum;
}

PLAYOUTS
