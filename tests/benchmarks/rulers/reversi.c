/* Othello's rules on N x N, N from 10 to 26 (-DN=26), one row of the board in each 32-bit lane.

   Rows, columns and both diagonals are stored as lines, one in each lane. One addition finds the
   ends of the runs of every line: (enemy + (own << 1 & enemy)) & ~enemy. For the opposite
   direction, the bits of the lines are reversed. A diagonal shares its lane with the one 32
   further on; 6 or more rows between them are on neither.
   Columns are a 32 x 32 bit transposition: bytes into blocks of 8 x 8, each block transposed by a
   matrix product over GF(2), bytes back into lanes. Diagonals are columns after a rotation of
   row r by r bits. */

#ifndef SEATS
#define SEATS 2
#endif
#define DRAWS 64
#include "ruler.h"

#ifndef N
#define N 26
#endif
#define WORDS ((N * N + 63) / 64)

typedef struct {
    __m512i a, b; /* lanes 0 to 15, 16 to 31 */
} Lanes;

enum { ROWS, COLUMNS, DOWN, UP, WAYS };

typedef struct {
    Lanes own, enemy, moves;
    u32 mine[WAYS][32], theirs[WAYS][32]; /* the mover's lines and the opponent's */
    u64 plies, side;
    Draws draws;
} Game;

static u8 INTO_A[64], INTO_B[64], BACK[64], SWAP[64];
static u32 TURN_A[16], TURN_B[16], BOARD_A[16], BOARD_B[16];

static void prepare(void) {
    for (int i = 0; i < 64; i++) {
        /* block q of eight holds byte column q / 4, rows 8 (q % 4) on; the product reverses the
           bytes of a block */
        int row = 8 * (i / 8 % 4) + 7 - i % 8, column = i / 32;
        INTO_A[i] = (u8)(4 * row + column), INTO_B[i] = (u8)(4 * row + column + 2);
        BACK[i] = (u8)(8 * (4 * (i / 4 / 8) + i % 4) + i / 4 % 8);
        SWAP[i] = (u8)(i % 16 ^ 3);
    }
    for (u32 i = 0; i < 16; i++) {
        TURN_A[i] = i, TURN_B[i] = i + 16;
        BOARD_A[i] = i < N ? (1u << N) - 1 : 0, BOARD_B[i] = i + 16 < N ? (1u << N) - 1 : 0;
    }
}

INLINE Lanes xor_of(Lanes x, Lanes y) {
    return (Lanes){_mm512_xor_si512(x.a, y.a), _mm512_xor_si512(x.b, y.b)};
}

INLINE Lanes or_of(Lanes x, Lanes y) {
    return (Lanes){_mm512_or_si512(x.a, y.a), _mm512_or_si512(x.b, y.b)};
}

INLINE Lanes transposed(Lanes x) {
    const __m512i one = _mm512_set1_epi64((long long)0x8040201008040201u);
    const __m512i back = _mm512_loadu_si512(BACK);
    __m512i a = _mm512_permutex2var_epi8(x.a, _mm512_loadu_si512(INTO_A), x.b);
    __m512i b = _mm512_permutex2var_epi8(x.a, _mm512_loadu_si512(INTO_B), x.b);
    return (Lanes){_mm512_permutexvar_epi8(back, _mm512_gf2p8affine_epi64_epi8(one, a, 0)),
                   _mm512_permutexvar_epi8(back, _mm512_gf2p8affine_epi64_epi8(one, b, 0))};
}

INLINE __m512i reversed(__m512i x) {
    const __m512i bits = _mm512_set1_epi64((long long)0x8040201008040201u);
    return _mm512_shuffle_epi8(_mm512_gf2p8affine_epi64_epi8(x, bits, 0),
                               _mm512_loadu_si512(SWAP));
}

/* Row r rotated by r bits, to higher bits or to lower ones. */
INLINE Lanes turned_up(Lanes x) {
    return (Lanes){_mm512_rolv_epi32(x.a, _mm512_loadu_si512(TURN_A)),
                   _mm512_rolv_epi32(x.b, _mm512_loadu_si512(TURN_B))};
}

INLINE Lanes turned_down(Lanes x) {
    return (Lanes){_mm512_rorv_epi32(x.a, _mm512_loadu_si512(TURN_A)),
                   _mm512_rorv_epi32(x.b, _mm512_loadu_si512(TURN_B))};
}

/* The cells after the runs of enemies that follow an own piece. */
INLINE __m512i after_runs(__m512i own, __m512i enemy) {
    __m512i first = _mm512_and_si512(_mm512_slli_epi32(own, 1), enemy);
    return _mm512_andnot_si512(enemy, _mm512_add_epi32(enemy, first));
}

INLINE __m512i both_ways(__m512i own, __m512i enemy) {
    __m512i back = reversed(after_runs(reversed(own), reversed(enemy)));
    return _mm512_or_si512(after_runs(own, enemy), back);
}

/* The ends of runs along lines; stored for the flips of the next move. */
INLINE Lanes ends(Game *g, int way, Lanes own, Lanes enemy) {
    _mm512_storeu_si512(g->mine[way], own.a);
    _mm512_storeu_si512(g->mine[way] + 16, own.b);
    _mm512_storeu_si512(g->theirs[way], enemy.a);
    _mm512_storeu_si512(g->theirs[way] + 16, enemy.b);
    return (Lanes){both_ways(own.a, enemy.a), both_ways(own.b, enemy.b)};
}

INLINE void find_moves(Game *g) {
    Lanes own = g->own, enemy = g->enemy;
    Lanes all = ends(g, ROWS, own, enemy);
    all = or_of(all, transposed(ends(g, COLUMNS, transposed(own), transposed(enemy))));
    Lanes down = ends(g, DOWN, transposed(turned_down(own)), transposed(turned_down(enemy)));
    Lanes up = ends(g, UP, transposed(turned_up(own)), transposed(turned_up(enemy)));
    all = or_of(all, turned_up(transposed(down)));
    all = or_of(all, turned_down(transposed(up)));
    Lanes held = or_of(own, enemy);
    g->moves.a = _mm512_and_si512(_mm512_andnot_si512(held.a, all.a), _mm512_loadu_si512(BOARD_A));
    g->moves.b = _mm512_and_si512(_mm512_andnot_si512(held.b, all.b), _mm512_loadu_si512(BOARD_B));
}

/* The pieces flipped by a piece in four lines; it is at bit `at` of each. */
INLINE __m128i turns(__m128i own, __m128i enemy, __m128i at) {
    const __m128i one = _mm_set1_epi32(1), highest = _mm_set1_epi32((int)0x80000000u);
    __m128i bit = _mm_sllv_epi32(one, at), after = _mm_add_epi32(bit, bit);
    /* 0x08: sum and own and not enemy */
    __m128i hit = _mm_ternarylogic_epi32(enemy, own, _mm_add_epi32(enemy, after), 0x08);
    __m128i up = _mm_maskz_sub_epi32(_mm_test_epi32_mask(hit, hit), hit, after);
    __m128i stops = _mm_andnot_si128(enemy, _mm_sub_epi32(bit, one));
    __m128i last = _mm_and_si128(_mm_srlv_epi32(highest, _mm_lzcnt_epi32(stops)), own);
    __m128i down = _mm_maskz_sub_epi32(_mm_test_epi32_mask(last, last), bit,
                                       _mm_add_epi32(last, last));
    return _mm_or_si128(up, down);
}

/* Prefix sums of integers in eight lanes of 64 bits. */
INLINE __m512i sums(__m512i x) {
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 7));
    x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 6));
    return _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 4));
}

INLINE u64 top(__m512i x) {
    return (u64)_mm_cvtsi128_si64(
        _mm512_castsi512_si128(_mm512_permutexvar_epi64(_mm512_set1_epi64(7), x)));
}

/* The cell of a drawn move, as 32 * row + column; the sets of two rows share a word. */
INLINE u32 drawn(Game *g) {
    u64 before[17], words[16];
    __m512i a = sums(_mm512_popcnt_epi64(g->moves.a)), b = sums(_mm512_popcnt_epi64(g->moves.b));
    u64 half = top(a), n = half + top(b), k = below(&g->draws, n);
    b = _mm512_add_epi64(b, _mm512_set1_epi64((long long)half));
    before[0] = 0;
    _mm512_storeu_si512(before + 1, a);
    _mm512_storeu_si512(before + 9, b);
    _mm512_storeu_si512(words, g->moves.a);
    _mm512_storeu_si512(words + 8, g->moves.b);
    __m512i drawn = _mm512_set1_epi64((long long)k);
    u32 word = (u32)(_mm_popcnt_u32(_mm512_cmple_epu64_mask(a, drawn)) +
                     _mm_popcnt_u32(_mm512_cmple_epu64_mask(b, drawn)));
    return 64 * word + (u32)lowest(nth_bit(words[word], k - before[word]));
}

INLINE Lanes everywhere(u32 x) {
    return (Lanes){_mm512_set1_epi32((int)x), _mm512_set1_epi32((int)x)};
}

/* The lane mask of a set of rows; every lane of `rows` holds the set. */
INLINE Lanes some(__m512i rows, Lanes x) {
    const __m512i one = _mm512_set1_epi32(1);
    __m512i a = _mm512_sllv_epi32(one, _mm512_loadu_si512(TURN_A));
    __m512i b = _mm512_sllv_epi32(one, _mm512_loadu_si512(TURN_B));
    return (Lanes){_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(rows, a), x.a),
                   _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(rows, b), x.b)};
}

INLINE Lanes one_row(u32 row, Lanes x) { return some(_mm512_set1_epi32((int)(1u << row)), x); }

INLINE __m512i spread(__m128i x, int lane) {
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(lane), _mm512_castsi128_si512(x));
}

INLINE int any(Lanes x) {
    __m512i all = _mm512_or_si512(x.a, x.b);
    return _mm512_test_epi32_mask(all, all) != 0;
}

INLINE int step(Game *g) {
    u32 cell = drawn(g), row = cell >> 5, column = cell & 31;
    u32 down = (column - row) & 31, up = (column + row) & 31;
    __m128i mine = _mm_setr_epi32((int)g->mine[ROWS][row], (int)g->mine[COLUMNS][column],
                                  (int)g->mine[DOWN][down], (int)g->mine[UP][up]);
    __m128i theirs = _mm_setr_epi32((int)g->theirs[ROWS][row], (int)g->theirs[COLUMNS][column],
                                    (int)g->theirs[DOWN][down], (int)g->theirs[UP][up]);
    __m128i in = turns(mine, theirs, _mm_setr_epi32((int)column, (int)row, (int)row, (int)row));
    __m512i along = spread(in, 0);
    Lanes turn = one_row(row, (Lanes){along, along});
    turn = or_of(turn, some(spread(in, 1), everywhere(1u << column)));
    turn = or_of(turn, some(spread(in, 2), turned_up(everywhere(1u << down))));
    turn = or_of(turn, some(spread(in, 3), turned_down(everywhere(1u << up))));
    Lanes own = xor_of(g->enemy, turn);
    Lanes placed = or_of(turn, one_row(row, everywhere(1u << column)));
    g->enemy = xor_of(g->own, placed);
    g->own = own;
    find_moves(g);
    g->plies++, g->side ^= 1;
    if (__builtin_expect(any(g->moves), 1)) return 0;
    g->own = g->enemy, g->enemy = own;
    find_moves(g);
    if (any(g->moves)) {
        g->plies++, g->side ^= 1;
        return 0;
    }
    g->enemy = g->own, g->own = own;
    return 1;
}

INLINE void start(Game *g, u64 seed, u64 number) {
    u32 a = N / 2 - 1, b = N / 2;
    Lanes left = everywhere(1u << a), right = everywhere(1u << b);
    g->enemy = or_of(one_row(a, left), one_row(b, right));
    g->own = or_of(one_row(a, right), one_row(b, left));
    g->plies = g->side = 0;
    draws_of(&g->draws, seed, number);
    find_moves(g);
}

/* Store the set as a number in reading order; return the number of its cells. */
static int packed(Lanes x, u64 *words) {
    u32 rows[32];
    int cells = 0;
    _mm512_storeu_si512(rows, x.a);
    _mm512_storeu_si512(rows + 16, x.b);
    memset(words, 0, WORDS * sizeof *words);
    for (int r = 0; r < N; r++) {
        int at = r * N;
        words[at >> 6] |= (u64)rows[r] << (at & 63);
        if ((at & 63) > 64 - N) words[(at >> 6) + 1] |= (u64)rows[r] >> (64 - (at & 63));
        cells += popcount(rows[r]);
    }
    return cells;
}

static void finish(const Game *g, Tally *tally) {
    u64 black[WORDS], white[WORDS];
    int lead = packed(g->side ? g->enemy : g->own, black);
    lead -= packed(g->side ? g->own : g->enemy, white);
    int winner = lead > 0 ? 0 : lead < 0 ? 1 : DRAW;
    record(tally, winner, g->plies);
    tally->checksum += checksum_wide(black, white, WORDS, g->side, winner, g->plies);
}

PLAYOUTS
