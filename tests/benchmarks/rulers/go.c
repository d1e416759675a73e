/* Go 9 x 9 (-DN=4), positional superko, no suicide, area scoring: sets of cells in 128 bits, with
   a spare column. Each chain stores its stones and its liberties.

   A repeated board has the same numbers of stones of both colours. These pairs of numbers are
   stored, and boards are compared only if their pair has occurred. */

#ifndef SEATS
#define SEATS 2
#endif
#define DRAWS 64
#include "ruler.h"

#ifndef N
#define N 9
#endif
#define W (N + 1)
#define KOMI 15

typedef unsigned __int128 Set;

typedef struct {
    Set stones[2][64], freedom[2][64]; /* of each chain */
    u64 chains[2];                     /* the chains in use */
    u8 chain_at[128];
    Set own[2], legal; /* stones of Black and of White */
    u64 plies, side, passes, boards;
    u8 numbers[82][82];
    Set seen[MAX_PLIES + 1][2];
    int winner;
    Draws draws;
} Game;

static Set BOARD;

static void prepare(void) {
    for (int r = 0; r < N; r++) BOARD |= (Set)((1u << N) - 1) << (W * r);
}

INLINE Set around(Set x) { return (x << 1 | x >> 1 | x << W | x >> W) & BOARD; }

INLINE int size(Set x) { return popcount((u64)x) + popcount((u64)(x >> 64)); }

INLINE int first_of(Set x) {
    return (u64)x ? lowest((u64)x) : 64 + lowest((u64)(x >> 64));
}

INLINE void remember(Game *g) {
    g->seen[g->boards][0] = g->own[0], g->seen[g->boards][1] = g->own[1];
    g->boards++;
    g->numbers[size(g->own[0])][size(g->own[1])] = 1;
}

/* The enemy's stones captured by a stone on the liberty `bit`. */
INLINE Set taken(const Game *g, Set bit) {
    u64 enemy = g->side ^ 1;
    Set stones = 0;
    for (u64 left = g->chains[enemy]; left; left &= left - 1) {
        int chain = lowest(left);
        if (g->freedom[enemy][chain] == bit) stones |= g->stones[enemy][chain];
    }
    return stones;
}

INLINE int has_been(const Game *g, const Set *own) {
    if (!g->numbers[size(own[0])][size(own[1])]) return 0;
    for (u64 i = 0; i < g->boards; i++)
        if (g->seen[i][0] == own[0] && g->seen[i][1] == own[1]) return 1;
    return 0;
}

/* The stones that would repeat an earlier board without a capture. */
INLINE Set repeated(const Game *g) {
    u64 me = g->side;
    Set mine = g->own[me], theirs = g->own[me ^ 1], found = 0;
    int black = size(g->own[0]) + !me, white = size(g->own[1]) + (int)me;
    if (!g->numbers[black][white]) return 0;
    for (u64 i = 0; i < g->boards; i++) {
        Set more = g->seen[i][me] ^ mine;
        if (g->seen[i][me ^ 1] == theirs && !(mine & more) && more && !(more & (more - 1)))
            found |= more;
    }
    return found;
}

INLINE void find_moves(Game *g) {
    u64 me = g->side, enemy = me ^ 1;
    Set empty = BOARD & ~(g->own[0] | g->own[1]), legal = around(empty), takes = 0;
    for (u64 left = g->chains[me]; left; left &= left - 1) {
        Set freedom = g->freedom[me][lowest(left)];
        legal |= freedom & (freedom - 1) ? freedom : 0;
    }
    for (u64 left = g->chains[enemy]; left; left &= left - 1) {
        Set freedom = g->freedom[enemy][lowest(left)];
        takes |= freedom & (freedom - 1) ? 0 : freedom;
    }
    legal = (legal & empty & ~takes) & ~repeated(g);
    for (Set left = takes; left; left &= left - 1) {
        Set bit = left & -left, own[2];
        own[me] = g->own[me] | bit, own[enemy] = g->own[enemy] & ~taken(g, bit);
        if (!has_been(g, own)) legal |= bit;
    }
    g->legal = legal;
}

/* Remove a captured chain; its cells become liberties of the adjacent chains of the mover. */
INLINE void take(Game *g, u64 me, int chain) {
    Set stones = g->stones[me ^ 1][chain];
    g->chains[me ^ 1] &= ~((u64)1 << chain);
    g->own[me ^ 1] ^= stones;
    for (u64 left = g->chains[me]; left; left &= left - 1) {
        int other = lowest(left);
        g->freedom[me][other] |= around(g->stones[me][other]) & stones;
    }
}

/* Merge a stone with the adjacent own chains. */
INLINE int joined(Game *g, u64 me, Set bit, int cell) {
    Set beside = around(bit), stones = bit;
    Set freedom = beside & ~(g->own[0] | g->own[1]);
    int chain = -1;
    for (Set left = beside & g->own[me]; left; left &= ~stones) {
        int other = g->chain_at[first_of(left)];
        Set more = g->stones[me][other];
        stones |= more, freedom |= g->freedom[me][other];
        if (chain < 0) {
            chain = other;
            continue;
        }
        g->chains[me] &= ~((u64)1 << other);
        for (; more; more &= more - 1) g->chain_at[first_of(more)] = (u8)chain;
    }
    if (chain < 0) chain = lowest(~g->chains[me]);
    g->chains[me] |= (u64)1 << chain;
    g->stones[me][chain] = stones, g->freedom[me][chain] = freedom & ~bit;
    g->chain_at[cell] = (u8)chain;
    return chain;
}

INLINE void place(Game *g, Set bit) {
    u64 me = g->side, enemy = me ^ 1;
    joined(g, me, bit, first_of(bit));
    g->own[me] |= bit;
    for (Set left = around(bit) & g->own[enemy]; left;) {
        int chain = g->chain_at[first_of(left)];
        left &= ~g->stones[enemy][chain];
        g->freedom[enemy][chain] &= ~bit;
        if (g->freedom[enemy][chain] == 0) take(g, me, chain);
    }
    remember(g);
}

INLINE void start(Game *g, u64 seed, u64 number) {
    g->chains[0] = g->chains[1] = 0;
    g->own[0] = g->own[1] = 0;
    g->plies = g->side = g->passes = g->boards = 0;
    memset(g->numbers, 0, sizeof g->numbers);
    draws_of(&g->draws, seed, number);
    remember(g);
    find_moves(g);
}

/* The area of a side: its stones, and empty regions that touch no stone of the other. */
static Set reach(const Game *g, int side) {
    Set empty = BOARD & ~(g->own[0] | g->own[1]), found = around(g->own[side]) & empty, before;
    do before = found, found |= around(found) & empty;
    while (found != before);
    return found;
}

INLINE int step(Game *g) {
    Set legal = g->legal;
    u64 low = (u64)popcount((u64)legal), n = low + (u64)popcount((u64)(legal >> 64));
    u64 k = below(&g->draws, n + 1);
    if (k == n) g->passes++;
    else {
        g->passes = 0;
        place(g, k < low ? (Set)nth_bit((u64)legal, k)
                         : (Set)nth_bit((u64)(legal >> 64), k - low) << 64);
    }
    g->plies++, g->side ^= 1;
    if (g->passes == 2) {
        Set black = reach(g, 0), white = reach(g, 1);
        int lead = 2 * (size(g->own[0] | (black & ~white)) - size(g->own[1] | (white & ~black)));
        g->winner = lead > KOMI ? 0 : 1;
        return 1;
    }
    find_moves(g);
    g->winner = UNFINISHED;
    return g->plies == MAX_PLIES;
}

static void packed(Set x, u64 *words) {
    words[0] = words[1] = 0;
    for (int r = 0; r < N; r++) {
        Set row = (x >> (W * r) & ((1u << N) - 1)) << (N * r);
        words[0] |= (u64)row, words[1] |= (u64)(row >> 64);
    }
}

static void finish(const Game *g, Tally *tally) {
    u64 black[2], white[2];
    packed(g->own[0], black), packed(g->own[1], white);
    record(tally, g->winner, g->plies);
    tally->checksum +=
        mix(checksum_wide(black, white, 2, g->side, g->winner, g->plies) ^ g->passes);
}

PLAYOUTS
