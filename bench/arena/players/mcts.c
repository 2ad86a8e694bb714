/* Monte Carlo tree search (UCT) for a capture game of three seats, with playouts of random moves to the end of the match.
 *
 * Each seat maximizes its own share of the first place. It shares nothing with the service's search, so that it can be an
 * opponent for it: boards are arrays of squares, and a node of the tree knows how often its moves won for each seat.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 3, EMPTY = 0, WALL = 4, MOST_SQUARES = 24 * 24, NONE = -1 };

typedef struct {
    int stride, many, turn; /* `turn` is a seat, or `NONE` once nobody can capture */
    uint8_t square[MOST_SQUARES];
} Board;

typedef struct {
    int first, many, visits, move, turn; /* its children; the seat to move in it; before its first visit it has none */
    double points[SEATS];
} Node;

static uint64_t dice;

static uint32_t below(uint32_t most) { /* xorshift64* */
    dice ^= dice >> 12, dice ^= dice << 25, dice ^= dice >> 27;
    return (uint64_t)(uint32_t)(dice * 0x2545F4914F6CDD1Du >> 32) * most >> 32;
}

/* Return how many squares `seat` captures from a square, and take them if `take` is set; else stop at the first. */
static int capture(Board *board, int at, int seat, int take) {
    const int own = seat + 1, steps[8] = {1, -1, board->stride, -board->stride, board->stride + 1, -board->stride - 1,
                                          board->stride - 1, 1 - board->stride};
    int captured = 0;
    for (int way = 0; way < 8; way++) {
        int to = at + steps[way], other = board->square[to];
        if (other == EMPTY || other == WALL || other == own) continue;
        while (board->square[to] == other) to += steps[way];
        if (board->square[to] != own) continue;
        if (!take) return 1;
        for (to -= steps[way]; to != at; to -= steps[way]) board->square[to] = own, captured++;
    }
    return captured;
}

static int moves_of(Board *board, int seat, int *moves) {
    int many = 0;
    for (int at = 0; at < board->many; at++)
        if (board->square[at] == EMPTY && capture(board, at, seat, 0)) moves[many++] = at;
    return many;
}

static void play(Board *board, int move) {
    capture(board, move, board->turn, 1);
    board->square[move] = board->turn + 1;
    board->turn = (board->turn + 1) % SEATS;
}

/* Pass over seats that cannot capture, and write the moves of the one that can. */
static int settle(Board *board, int *moves) {
    for (int next = 0; next < SEATS; next++, board->turn = (board->turn + 1) % SEATS) {
        int many = moves_of(board, board->turn, moves);
        if (many) return many;
    }
    board->turn = NONE;
    return 0;
}

/* Play a match to its end with random moves, and add each seat's share of the first place. */
static void play_out(Board *board, double *points) {
    int empty[MOST_SQUARES], many = 0, counts[SEATS + 2] = {0}, most = 0, winners = 0;
    for (int at = 0; at < board->many; at++)
        if (board->square[at] == EMPTY) empty[many++] = at;
    for (int passed = board->turn == NONE ? SEATS : 0; passed < SEATS; passed++, board->turn = (board->turn + 1) % SEATS)
        for (int left = many; left > 0;) { /* draw squares until there is one from which the seat captures */
            int drawn = below(left--), at = empty[drawn];
            empty[drawn] = empty[left], empty[left] = at;
            if (!capture(board, at, board->turn, 1)) continue;
            board->square[at] = board->turn + 1;
            empty[left] = empty[--many];
            passed = -1;
            break;
        }
    for (int at = 0; at < board->many; at++) counts[board->square[at]]++;
    for (int seat = 1; seat <= SEATS; seat++) most = counts[seat] > most ? counts[seat] : most;
    for (int seat = 1; seat <= SEATS; seat++) winners += counts[seat] == most;
    for (int seat = 0; seat < SEATS; seat++) points[seat] += counts[seat + 1] == most ? 1.0 / winners : 0;
}

/* Return the child to visit: one that was not visited yet, or that with the highest upper bound for the seat to move. */
static int child_of(const Node *tree, const Node *node, double explore) {
    int best = node->first + (node->visits - 1) % node->many;
    double most = -1;
    if (node->visits <= node->many) return best;
    for (int child = node->first; child < node->first + node->many; child++) {
        double visits = tree[child].visits;
        double bound = tree[child].points[node->turn] / visits + explore * sqrt(log(node->visits) / visits);
        if (bound > most) most = bound, best = child;
    }
    return best;
}

/* Return the index of the square that `seat` should take: the most visited move after this many playouts.
 *
 * `squares` has the rows of the board one after another: 0 is empty, 1 to 3 belong to a seat, 4 is a wall.
 */
int choose(const uint8_t *squares, int width, int height, int seat, int playouts, double explore, uint64_t seed) {
    Board start = {.stride = width + 2, .many = (width + 2) * (height + 2), .turn = seat};
    int moves[MOST_SQUARES], path[MOST_SQUARES], used = 1, best = NONE;
    memset(start.square, WALL, sizeof start.square);
    for (int y = 0; y < height; y++)
        memcpy(start.square + (y + 1) * start.stride + 1, squares + y * width, width);
    Node *tree = calloc((size_t)playouts * width * height + 1, sizeof *tree);
    if (!tree) return NONE;
    dice = seed | 1;
    for (int number = 0; number < playouts; number++) {
        Board board = start;
        double points[SEATS] = {0};
        int depth = 0, at = path[depth++] = 0;
        while (tree[at].visits && tree[at].many) {
            board.turn = tree[at].turn;
            at = path[depth++] = child_of(tree, &tree[at], explore);
            play(&board, tree[at].move);
        }
        if (!tree[at].visits) {
            Node *node = &tree[at];
            node->many = settle(&board, moves);
            node->turn = board.turn;
            node->first = used;
            for (int move = 0; move < node->many; move++) { /* in random order */
                int drawn = move + below(node->many - move), chosen = moves[drawn];
                moves[drawn] = moves[move];
                tree[used++].move = chosen;
            }
        } else {
            board.turn = NONE;
        }
        play_out(&board, points);
        while (depth--) {
            tree[path[depth]].visits++;
            for (int each = 0; each < SEATS; each++) tree[path[depth]].points[each] += points[each];
        }
    }
    for (int child = tree[0].first; child < tree[0].first + tree[0].many; child++)
        if (best == NONE || tree[child].visits > tree[best].visits) best = child;
    int square = best == NONE ? NONE : tree[best].move;
    free(tree);
    return square == NONE ? NONE : (square / start.stride - 1) * width + square % start.stride - 1;
}
