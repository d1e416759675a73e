/* Check the Check (UVa 10196). */
#include "plain.h"

static char *rows[8];
static const int ways[8][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int leaps[8][2] = {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}};

static char at(int row, int column) {
    return row < 0 || row > 7 || column < 0 || column > 7 ? 0 : rows[row][column];
}

/* `enemies` are knight, pawn, rook, bishop and queen. */
static int is_checked(char king, const char *enemies, int ahead) {
    int row = -1, column = -1;
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++)
            if (rows[r][c] == king) row = r, column = c;
    if (row < 0) return 0;
    for (int i = 0; i < 8; i++)
        if (at(row + leaps[i][0], column + leaps[i][1]) == enemies[0]) return 1;
    if (at(row + ahead, column - 1) == enemies[1] || at(row + ahead, column + 1) == enemies[1]) return 1;
    for (int i = 0; i < 8; i++) {
        int r = row, c = column;
        char found;
        do r += ways[i][0], c += ways[i][1]; while ((found = at(r, c)) == '.');
        if (found && (found == enemies[4] || found == enemies[i < 4 ? 2 : 3])) return 1;
    }
    return 0;
}

int main(void) {
    start();
    for (int number = 1;; number++) {
        int pieces = 0;
        for (int r = 0; r < 8; r++) {
            char *word = rows[r] = read_word();
            for (int c = 0; c < 8; c++) pieces += word[c] != '.';
        }
        if (!pieces) break;
        put_text("Game #");
        put_number(number, 0);
        put_text(is_checked('K', "nprbq", -1) ? ": white" : is_checked('k', "NPRBQ", 1) ? ": black" : ": no");
        put_text(" king is in check.\n");
    }
    finish();
    return 0;
}
