/* The common part of all programs: the random numbers of docs/language.md, the checksum, and main.

   A program defines SEATS (the number of interleaved games, to hide latency), DRAWS (the number
   of random numbers generated at a time), the type Game, and the functions start, step, finish;
   with PERFT also perft. The whole program is one translation unit.

   PROGRAM playouts GAMES SEED    PROGRAM perft DEPTH    PROGRAM bulk DEPTH */

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define INLINE static inline __attribute__((always_inline))
#define GAMMA 0x9E3779B97F4A7C15u
#define DRAW (-1)
#define UNFINISHED (-2)
#define MAX_PLIES 10000

typedef struct {
    u64 wins[2], draws, unfinished, plies, checksum;
} Tally;

INLINE u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* The random numbers of a game, DRAWS of them at a time (a multiple of 8), independent of the
   position. A game with no more draws than that needs no refill. */
typedef struct {
    u64 numbers[DRAWS];
    u64 state, at;
} Draws;

INLINE __m512i mix8(__m512i z) {
    z = _mm512_xor_si512(z, _mm512_srli_epi64(z, 30));
    z = _mm512_mullo_epi64(z, _mm512_set1_epi64((long long)0xBF58476D1CE4E5B9u));
    z = _mm512_xor_si512(z, _mm512_srli_epi64(z, 27));
    z = _mm512_mullo_epi64(z, _mm512_set1_epi64((long long)0x94D049BB133111EBu));
    return _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
}

INLINE void refill(Draws *d) {
    const __m512i steps = _mm512_setr_epi64(
        (long long)GAMMA, (long long)(2 * GAMMA), (long long)(3 * GAMMA), (long long)(4 * GAMMA),
        (long long)(5 * GAMMA), (long long)(6 * GAMMA), (long long)(7 * GAMMA),
        (long long)(8 * GAMMA));
    __m512i states = _mm512_add_epi64(_mm512_set1_epi64((long long)d->state), steps);
    for (int i = 0; i < DRAWS; i += 8) {
        _mm512_storeu_si512(d->numbers + i, mix8(states));
        states = _mm512_add_epi64(states, _mm512_set1_epi64((long long)(8 * GAMMA)));
    }
    d->state += DRAWS * GAMMA;
    d->at = 0;
}

INLINE void draws_of(Draws *d, u64 seed, u64 game) {
    d->state = mix(seed) + mix(game + 1);
    refill(d);
}

/* A number below n; for n = 1 it is 0, without a draw. */
INLINE u64 below(Draws *d, u64 n) {
    if (__builtin_expect(d->at == DRAWS, 0)) refill(d);
    u64 drawn = (u64)((unsigned __int128)d->numbers[d->at] * n >> 64);
    d->at += n > 1;
    return drawn;
}

INLINE int popcount(u64 x) { return (int)_mm_popcnt_u64(x); }
INLINE int lowest(u64 x) { return (int)_tzcnt_u64(x); }
/* Bit k of the set bits of x, counted from the lowest. */
INLINE u64 nth_bit(u64 x, u64 k) { return _pdep_u64((u64)1 << k, x); }

/* A set of cells of any size, lowest word first: as many words as it needs, at least one. */
INLINE u64 mix_set(u64 sum, const u64 *words, int n) {
    while (n > 1 && words[n - 1] == 0) n--;
    for (int i = 0; i < n; i++) sum = mix(sum ^ words[i]);
    return sum;
}

INLINE void record(Tally *tally, int winner, u64 plies) {
    tally->plies += plies;
    if (winner >= 0) tally->wins[winner]++;
    else if (winner == DRAW) tally->draws++;
    else tally->unfinished++;
}

/* The checksum of a game with two planes of at most 64 cells, an empty neutral plane, the side. */
INLINE u64 checksum64(u64 first, u64 second, u64 side, int winner, u64 plies) {
    u64 sum = mix(plies << 8 | (u64)(winner + 2));
    sum = mix(sum ^ first);
    sum = mix(sum ^ second);
    sum = mix(sum);
    return mix(sum ^ side);
}

/* The same with planes of n words each. */
INLINE u64 checksum_wide(const u64 *first, const u64 *second, int n, u64 side, int winner,
                         u64 plies) {
    u64 sum = mix(plies << 8 | (u64)(winner + 2));
    sum = mix_set(sum, first, n);
    sum = mix_set(sum, second, n);
    sum = mix(sum);
    return mix(sum ^ side);
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void playouts(u64 games, u64 seed, Tally *tally);
static void prepare(void);

#ifdef PERFT
static u64 leaves; /* a hash of all last positions; it forces the compiler to compute each */
static u64 perft(int depth, int bulk);
#endif

/* Interleaved games: SEATS of them at a time, one ply each, until all are played. */
#ifdef SEATS
#define PLAYOUTS                                                                              \
    static void playouts(u64 games, u64 seed, Tally *tally) {                                 \
        static Game seats[SEATS];                                                                   \
        u64 next = 0;                                                                         \
        int live[SEATS], left = 0;                                                            \
        for (int i = 0; i < SEATS; i++)                                                       \
            if ((live[i] = next < games)) start(&seats[i], seed, next++), left++;             \
        while (left == SEATS) {                                                               \
            _Pragma("GCC unroll 8") for (int i = 0; i < SEATS; i++)                           \
                if (__builtin_expect(step(&seats[i]), 0)) {                                   \
                    finish(&seats[i], tally);                                                 \
                    if ((live[i] = next < games)) start(&seats[i], seed, next++);             \
                    else left--;                                                              \
                }                                                                             \
        }                                                                                     \
        for (int i = 0; i < SEATS; i++)                                                       \
            if (live[i]) {                                                                    \
                while (!step(&seats[i])) {}                                                   \
                finish(&seats[i], tally);                                                     \
            }                                                                                 \
    }
#endif

int main(int count, char **words) {
    u64 n = count > 2 ? strtoull(words[2], 0, 10) : 0;
    if (count < 3 || (strcmp(words[1], "playouts") == 0 && count != 4)) return 2;
    prepare();
    double begun = cpu_seconds();
    if (strcmp(words[1], "playouts") == 0) {
        Tally t = {{0, 0}, 0, 0, 0, 0};
        playouts(n, strtoull(words[3], 0, 10), &t);
        printf("{\"games\": %llu, \"wins\": [%llu, %llu], \"draws\": %llu, \"unfinished\": %llu, "
               "\"plies\": %llu, \"checksum\": %llu, \"seconds\": %.6f}\n",
               (unsigned long long)n, (unsigned long long)t.wins[0],
               (unsigned long long)t.wins[1], (unsigned long long)t.draws,
               (unsigned long long)t.unfinished, (unsigned long long)t.plies,
               (unsigned long long)t.checksum, cpu_seconds() - begun);
        return 0;
    }
#ifdef PERFT
    int bulk = strcmp(words[1], "bulk") == 0;
    if (bulk || strcmp(words[1], "perft") == 0) {
        u64 nodes = perft((int)n, bulk);
        printf("{\"nodes\": %llu, \"leaves\": %llu, \"seconds\": %.6f}\n",
               (unsigned long long)nodes, (unsigned long long)leaves, cpu_seconds() - begun);
        return 0;
    }
#endif
    return 2;
}
