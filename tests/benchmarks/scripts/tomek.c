/* Tic-Tac-Toe-Tomek (Google Code Jam 2013). */
#include "plain.h"

static char *rows[4];

static int line(int row, int column, int down, int right, char own) {
    for (int i = 0; i < 4; i++, row += down, column += right)
        if (rows[row][column] != own && rows[row][column] != 'T') return 0;
    return 1;
}

static int has_line(char own) {
    for (int i = 0; i < 4; i++)
        if (line(i, 0, 0, 1, own) || line(0, i, 1, 0, own)) return 1;
    return line(0, 0, 1, 1, own) || line(0, 3, 1, -1, own);
}

int main(void) {
    int cases;
    start();
    cases = read_number();
    for (int number = 1; number <= cases; number++) {
        int open = 0;
        for (int r = 0; r < 4; r++) {
            rows[r] = read_word();
            for (int c = 0; c < 4; c++) open |= rows[r][c] == '.';
        }
        put_text("Case #");
        put_number(number, 0);
        put_text(": ");
        if (has_line('X')) put_text("X won\n");
        else if (has_line('O')) put_text("O won\n");
        else put_text(open ? "Game has not completed\n" : "Draw\n");
    }
    finish();
    return 0;
}
