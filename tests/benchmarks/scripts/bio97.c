/* BIO 1997, question 2, strategy 2, on many boards. */
#include "plain.h"

typedef struct { char cells[10][10]; } Board;

static int near(const Board *b, int row, int column) {
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++)
            if (b->cells[r][c] && b->cells[r][c] != '.') return 1;
    return 0;
}

static int flips(Board *b, int row, int column, char own, int turn) {
    char other = own == '*' ? '0' : '*';
    int found = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            int r = row + down, c = column + right, count = 0;
            if (!down && !right) continue;
            while (b->cells[r][c] == other) { r += down; c += right; count++; }
            if (!count || b->cells[r][c] != own) continue;
            found += count;
            if (turn)
                for (r -= down, c -= right; count--; r -= down, c -= right) b->cells[r][c] = own;
        }
    if (turn) b->cells[row][column] = own;
    return found;
}

static int count(const Board *b, char own) {
    int found = 0;
    for (int r = 1; r <= 8; r++)
        for (int c = 1; c <= 8; c++) found += b->cells[r][c] == own;
    return found;
}

int main(void) {
    int boards;
    start();
    boards = read_number();
    while (boards--) {
        Board b;
        char mover = '0';
        memset(&b, 0, sizeof b);
        for (int r = 1; r <= 8; r++) memset(b.cells[r] + 1, '.', 8);
        for (int r = 3; r <= 6; r++) memcpy(b.cells[r] + 3, read_word(), 4);
        for (;; mover = mover == '*' ? '0' : '*') {
            char other = mover == '*' ? '0' : '*';
            int best = -1, row = 0, column = 0;
            for (int r = 1; r <= 8; r++)
                for (int c = 1; c <= 8; c++) {
                    Board after = b;
                    int total, most = 0;
                    if (b.cells[r][c] != '.' || !near(&b, r, c)) continue;
                    flips(&after, r, c, mover, 1);
                    total = count(&after, mover);
                    for (int y = 1; y <= 8; y++)
                        for (int x = 1; x <= 8; x++)
                            if (after.cells[y][x] == '.' && near(&after, y, x)) {
                                int turned = flips(&after, y, x, other, 0);
                                if (turned > most) most = turned;
                            }
                    if (total - most >= best) { best = total - most; row = r; column = c; }
                }
            if (best < 0) break;
            flips(&b, row, column, mover, 1);
        }
        for (int r = 1; r <= 8; r++) {
            for (int c = 1; c <= 8; c++) put(b.cells[r][c]);
            put('\n');
        }
        put_number(count(&b, '0'), 0);
        put(' ');
        put_number(count(&b, '*'), 0);
        put('\n');
    }
    finish();
    return 0;
}
