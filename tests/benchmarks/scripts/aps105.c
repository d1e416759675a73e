/* APS105 Reversi on a 26x26 board against the built-in player. */
#include "plain.h"

enum { N = 26 };
static char board[N + 2][N + 2];

static int flips(int row, int column, char own, int turn) {
    char other = own == 'B' ? 'W' : 'B';
    int found = 0;
    if (board[row][column] != 'U') return 0;
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
    for (int r = 1; r <= N; r++)
        for (int c = 1; c <= N; c++)
            if (flips(r, c, own, 0)) return 1;
    return 0;
}

static void show(void) {
    put_text("  ");
    for (int c = 0; c < N; c++) put('a' + c);
    put('\n');
    for (int r = 1; r <= N; r++) {
        put('a' + r - 1);
        put(' ');
        for (int c = 1; c <= N; c++) put(board[r][c]);
        put('\n');
    }
}

int main(void) {
    int games;
    start();
    games = read_number();
    while (games--) {
        char mover = 'B';
        int black = 0, white = 0;
        for (int r = 1; r <= N; r++) memset(board[r] + 1, 'U', N);
        board[N / 2][N / 2] = board[N / 2 + 1][N / 2 + 1] = 'W';
        board[N / 2][N / 2 + 1] = board[N / 2 + 1][N / 2] = 'B';
        show();
        for (;; mover = mover == 'B' ? 'W' : 'B') {
            int row = 0, column = 0;
            if (!can_move(mover)) {
                if (!can_move(mover == 'B' ? 'W' : 'B')) break;
                put(mover);
                put_text(" player has no valid move.\n");
                continue;
            }
            if (mover == 'W') {
                int best = 0;
                for (int r = 1; r <= N; r++)
                    for (int c = 1; c <= N; c++) {
                        int turned = flips(r, c, 'W', 0);
                        if (turned > best) { best = turned; row = r; column = c; }
                    }
                put_text("Computer places W at ");
                put('a' + row - 1);
                put('a' + column - 1);
                put_text(".\n");
            } else {
                char *word = read_word();
                put_text("Enter move for colour B (RowCol): ");
                row = word[0] - 'a' + 1;
                column = word[1] - 'a' + 1;
            }
            flips(row, column, mover, 1);
            board[row][column] = mover;
            show();
        }
        for (int r = 1; r <= N; r++)
            for (int c = 1; c <= N; c++) {
                black += board[r][c] == 'B';
                white += board[r][c] == 'W';
            }
        if (black == white) put_text("Draw!\n");
        else put_text(black > white ? "B player wins.\n" : "W player wins.\n");
    }
    finish();
    return 0;
}
