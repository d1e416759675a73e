/* BIO 2004, question 2, on many openings. */
#include "plain.h"

static char board[8][9];

static int makes_line(int row, int column, char own) {
    static const int axes[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int axis = 0; axis < 4; axis++) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int down = sign * axes[axis][0], right = sign * axes[axis][1];
            for (int r = row + down, c = column + right; board[r][c] == own; r += down, c += right)
                length++;
        }
        if (length >= 4) return 1;
    }
    return 0;
}

static int landing(int column) {
    int row = 6;
    while (row && board[row][column] != '-') row--;
    return row;
}

static int chosen(char own, char other) {
    for (int turn = 0; turn < 2; turn++)
        for (int c = 1; c <= 7; c++)
            if (board[1][c] == '-' && makes_line(landing(c), c, turn ? other : own)) return c;
    for (int c = 1; c <= 7; c++)
        if (board[1][c] == '-') return c;
    return 0;
}

static void show(void) {
    for (int r = 1; r <= 6; r++) {
        for (int c = 1; c <= 7; c++) put(board[r][c]);
        put('\n');
    }
}

int main(void) {
    int openings;
    start();
    openings = read_number();
    while (openings--) {
        char own = '*', other = 'o', won = 0, last;
        int column;
        for (int r = 1; r <= 6; r++) memset(board[r] + 1, '-', 7);
        for (int n = read_number(); n--; last = own, own = other, other = last) {
            column = read_number();
            board[landing(column)][column] = own;
        }
        show();
        while (!won && (column = chosen(own, other))) {
            int row = landing(column);
            board[row][column] = own;
            if (makes_line(row, column, own)) won = own;
            last = own; own = other; other = last;
        }
        show();
        if (!won) put_text("Draw\n");
        else put_text(won == '*' ? "Player 1 wins\n" : "Player 2 wins\n");
    }
    finish();
    return 0;
}
