/* A plain solver of Othello on small rectangles: the score of the first player, discs as they lie.
 *
 * othello ROWS COLUMNS prints it. Alpha-beta to the end of the game, moves that leave few replies
 * first, with a table of positions: keys are whole positions, so that none is taken for another.
 * The start and the first player are those of the board of 8 x 8, around the middle.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t set;
typedef struct {
    set own, other;
    int8_t low, high;
} entry;

enum { BITS = 24, WAYS = 8, SHALLOW = 5 };

static int rows, columns;
static set all;
static int length[WAYS][64];
static unsigned char ray[WAYS][64][8];
static entry *table;

static void board(void)
{
    all = rows * columns == 64 ? ~0ull : (1ull << rows * columns) - 1;
    for (int cell = 0; cell < rows * columns; cell++)
        for (int way = 0, dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (!dx && !dy)
                    continue;
                int y = cell / columns + dy, x = cell % columns + dx, n = 0;
                for (; y >= 0 && y < rows && x >= 0 && x < columns; y += dy, x += dx)
                    ray[way][cell][n++] = y * columns + x;
                length[way++][cell] = n;
            }
}

static set turned(set own, set other, int cell)
{
    set found = 0;
    for (int way = 0; way < WAYS; way++) {
        set on = 0;
        const unsigned char *at = ray[way][cell], *end = at + length[way][cell];
        while (at < end && other >> *at & 1)
            on |= 1ull << *at++;
        if (at < end && own >> *at & 1)
            found |= on;
    }
    return found;
}

static set moves(set own, set other)
{
    set found = 0;
    for (set left = all & ~(own | other); left; left &= left - 1) {
        int cell = __builtin_ctzll(left);
        if (turned(own, other, cell))
            found |= 1ull << cell;
    }
    return found;
}

static int lead(set own, set other)
{
    return __builtin_popcountll(own) - __builtin_popcountll(other);
}

static entry *place(set own, set other)
{
    set key = (own * 0x9E3779B97F4A7C15ull) ^ (other * 0xC2B2AE3D27D4EB4Full);
    return &table[(key ^ key >> 29) * 0xBF58476D1CE4E5B9ull >> (64 - BITS)];
}

static int search(set own, set other, int alpha, int beta)
{
    set legal = moves(own, other);
    if (!legal)
        return moves(other, own) ? -search(other, own, -beta, -alpha) : lead(own, other);
    int empty = __builtin_popcountll(all & ~(own | other)), best = -64, first = alpha;
    entry *kept = empty >= SHALLOW ? place(own, other) : NULL;
    if (kept && kept->own == own && kept->other == other) {
        if (kept->low >= beta || kept->low == kept->high)
            return kept->low;
        if (kept->high <= alpha)
            return kept->high;
    }
    set after[32], against[32];
    int replies[32], count = 0;
    for (; legal; legal &= legal - 1, count++) {
        int cell = __builtin_ctzll(legal), at = count;
        set on = turned(own, other, cell), to = own | on | 1ull << cell, from = other & ~on;
        int few = kept ? __builtin_popcountll(moves(from, to)) : 0;
        for (; at && replies[at - 1] > few; at--) {
            replies[at] = replies[at - 1];
            after[at] = after[at - 1];
            against[at] = against[at - 1];
        }
        replies[at] = few;
        after[at] = to;
        against[at] = from;
    }
    for (int i = 0; i < count && best < beta; i++) {
        int value = -search(against[i], after[i], -beta, -(best > alpha ? best : alpha));
        best = value > best ? value : best;
    }
    if (kept) {
        int low = best > first ? best : -64, high = best < beta ? best : 64;
        *kept = (entry){own, other, low, high};
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    rows = atoi(argv[1]);
    columns = atoi(argv[2]);
    board();
    table = calloc(1ull << BITS, sizeof *table);
    int a = (rows / 2 - 1) * columns + columns / 2 - 1, b = a + columns;
    set black = 1ull << (a + 1) | 1ull << b, white = 1ull << a | 1ull << (b + 1);
    printf("%d\n", search(black, white, -64, 64));
    return 0;
}
