/* Hex: the stones of each player, those joined to the first side, and the winner. */
#include "plain.h"

enum { N = 11 };

static char *rows[N];
static const int near[6][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}};

/* Count the stones joined to the first side; set *across if they reach the other one. */
static int joined(char own, int by_row, int *across) {
    char seen[N][N] = {{0}};
    int found[N * N][2], count = 0;
    for (int i = 0; i < N; i++) {
        int row = by_row ? 0 : i, column = by_row ? i : 0;
        if (rows[row][column] != own) continue;
        seen[row][column] = 1;
        found[count][0] = row;
        found[count++][1] = column;
    }
    for (int at = 0; at < count; at++) {
        if ((by_row ? found[at][0] : found[at][1]) == N - 1) *across = 1;
        for (int way = 0; way < 6; way++) {
            int row = found[at][0] + near[way][0], column = found[at][1] + near[way][1];
            if (row < 0 || row >= N || column < 0 || column >= N) continue;
            if (seen[row][column] || rows[row][column] != own) continue;
            seen[row][column] = 1;
            found[count][0] = row;
            found[count++][1] = column;
        }
    }
    return count;
}

int main(void) {
    int boards;
    start();
    for (boards = read_number(); boards; boards--) {
        int red = 0, blue = 0, counts[2] = {0, 0}, top, left;
        for (int r = 0; r < N; r++) {
            rows[r] = read_word();
            for (int c = 0; c < N; c++) {
                counts[0] += rows[r][c] == 'x';
                counts[1] += rows[r][c] == 'o';
            }
        }
        top = joined('x', 1, &red);
        left = joined('o', 0, &blue);
        put_number(counts[0], 3);
        put(' ');
        put_number(counts[1], 3);
        put(' ');
        put_number(top, 3);
        put(' ');
        put_number(left, 3);
        put_text(red ? " red\n" : blue ? " blue\n" : " open\n");
    }
    finish();
    return 0;
}
