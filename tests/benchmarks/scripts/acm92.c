/* ACM 1992, problem F (UVa 220), written from the statement. */
#include "plain.h"

static char board[10][10];

static int flips(int row, int column, char own, int turn) {
    char other = own == 'B' ? 'W' : 'B';
    int found = 0;
    if (board[row][column] != '-') return 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            int r = row + down, c = column + right, count = 0;
            if (!down && !right) continue;
            while (board[r][c] == other) { r += down; c += right; count++; }
            if (!count || board[r][c] != own) continue;
            found += count;
            if (turn)
                for (r -= down, c -= right; count--; r -= down, c -= right) board[r][c] = own;
        }
    return found;
}

static int can_move(char own) {
    for (int r = 1; r <= 8; r++)
        for (int c = 1; c <= 8; c++)
            if (flips(r, c, own, 0)) return 1;
    return 0;
}

int main(void) {
    int games;
    start();
    games = read_number();
    for (int game = 0; game < games; game++) {
        char mover;
        if (game) put('\n');
        for (int r = 1; r <= 8; r++) {
            char *word = read_word();
            for (int c = 1; c <= 8; c++) board[r][c] = word[c - 1];
        }
        mover = *read_word();
        for (;;) {
            char *word = read_word();
            if (*word == 'L') {
                int some = 0;
                for (int r = 1; r <= 8; r++)
                    for (int c = 1; c <= 8; c++)
                        if (flips(r, c, mover, 0)) {
                            if (some++) put(' ');
                            put('('); put('0' + r); put(','); put('0' + c); put(')');
                        }
                if (!some) put_text("No legal move.");
                put('\n');
            } else if (*word == 'Q') {
                for (int r = 1; r <= 8; r++) {
                    for (int c = 1; c <= 8; c++) put(board[r][c]);
                    put('\n');
                }
                break;
            } else {
                int row = word[1] - '0', column = word[2] - '0', black = 0, white = 0;
                if (!can_move(mover)) mover = mover == 'B' ? 'W' : 'B';
                flips(row, column, mover, 1);
                board[row][column] = mover;
                for (int r = 1; r <= 8; r++)
                    for (int c = 1; c <= 8; c++) {
                        black += board[r][c] == 'B';
                        white += board[r][c] == 'W';
                    }
                put_text("Black - ");
                put_number(black, 2);
                put_text(" White - ");
                put_number(white, 2);
                put('\n');
                mover = mover == 'B' ? 'W' : 'B';
            }
        }
    }
    finish();
    return 0;
}
