/* The search of Nine Men's Morris, compiled: the same turns, the same order and the same values as alphabeta.py with the
 * turns of turns.py, which explains the encoding of positions; a test compares them. What Python has computed is passed
 * in: the tables of evaluation.py, and when the budget is spent.
 */
#include "../../search/compiled.h"

typedef int64_t Packed;
typedef uint32_t Men;

enum { POINTS = 24, OTHER = 24, TO_PLACE = 48 };
enum { WIN = 1000000, SURE_WIN = WIN - 1000, LATE = 3, LATER = 7, QUIET_GAIN = 150 };
enum { SQUARE = 6561, ACROSS = 729, STAGE = 3 * SQUARE + 2 * ACROSS }; /* 3 ** 8 and 3 ** 6 placements of a part */
enum { STAGES = 4, MANY = 12 }; /* as in evaluation.py */
enum { SLOTS = 1 << 19, PROBES = 8, MOST_TURNS = 2048, MOST_DEPTH = 63, MOST_PLIES = 96 };
static const Men ALL = (1 << POINTS) - 1;

static Men neighbours[POINTS];
static Men lines[POINTS][2];   /* by point, the other two points of each of its lines */
static uint16_t ternary[256];  /* by points of a square, the sum of their powers of three */
static uint16_t middles[256];  /* the same of the two middles of a square on one pair of lines across */

/* A result of the search of a position; an unused slot has the key 0. */
typedef struct {
    uint64_t key; /* the position, and the depth from bit 56 on */
    Packed best;  /* the position after the best turn */
    int32_t low, high;
} Entry;

typedef struct {
    PyObject_HEAD
    Meter meter;
    PyObject *weights;   /* the bytes of the tables */
    const int32_t *values;
    Entry *table;
    Packed *turns;       /* MOST_TURNS for each ply */
    Packed *seen;        /* repetitions, then the path */
    Py_ssize_t seen_count;
    int repetition;      /* its value for the side that searches */
    int64_t history[POINTS][POINTS];
    bool one_flies, both_fly, double_mill, removes_all, removes_of_three;
} Search;

static inline Men own_men(Packed position) { return position & ALL; }
static inline Men other_men(Packed position) { return position >> OTHER & ALL; }
static inline int count(Men men) { return __builtin_popcount(men); }
static inline int first(Men men) { return __builtin_ctz(men); }
static inline Packed shown_to_other(Men mine, Men other, int places) {
    return other | (Packed)mine << OTHER | (Packed)places << TO_PLACE;
}

/* The turns of a side. Each function appends positions, and returns the end. */

static Men men_in_mills(Men men) {
    Men found = 0;
    for (Men left = men; left; left &= left - 1) {
        int at = first(left);
        for (int line = 0; line < 2; line++)
            if ((men & lines[at][line]) == lines[at][line]) found |= 1u << at;
    }
    return found;
}

static Men closing_points(Men men, Men free) {
    Men found = 0;
    for (Men left = free; left; left &= left - 1) {
        int at = first(left);
        for (int line = 0; line < 2; line++)
            if ((men & lines[at][line]) == lines[at][line]) found |= 1u << at;
    }
    return found;
}

static Men removable(const Search *search, Men men, int hand) {
    Men exposed = men & ~men_in_mills(men);
    if (exposed || !(search->removes_all || (search->removes_of_three && count(men) + hand <= 3))) return exposed;
    return men;
}

static bool flies(const Search *search, Men mine, Men other) {
    return (count(mine) <= 3 && search->one_flies) || (count(other) <= 3 && search->both_fly);
}

static Packed *add_removals(const Search *search, Packed *end, Men men, Men other, int places, Men targets, int at) {
    int mills = 0, hand = (places + 1) / 2, have = count(other) + hand;
    for (int line = 0; line < 2; line++) mills += (men & lines[at][line]) == lines[at][line];
    if (mills == 1 || !search->double_mill || have <= 3) {
        for (; targets; targets &= targets - 1) {
            Packed after = shown_to_other(men, other ^ (targets & -targets), places);
            *end++ = have <= 3 ? ~after : after;
        }
        return end;
    }
    Packed *begin = end;
    for (; targets; targets &= targets - 1) {
        Men one_less = other ^ (targets & -targets), second = removable(search, one_less, hand);
        do { /* also once without a second target */
            Men left = one_less ^ (second & -second);
            Packed after = shown_to_other(men, left, places), *same = begin;
            if (count(left) + hand < 3) after = ~after;
            while (same < end && *same != after) same++;
            if (same == end) *end++ = after;
            second &= second - 1;
        } while (second);
    }
    return end;
}

static Packed *add_closed_by_placing(const Search *search, Packed *end, Men mine, Men other, int places, Men spots) {
    Men targets = removable(search, other, places / 2);
    for (; targets && spots; spots &= spots - 1)
        end = add_removals(search, end, mine | (spots & -spots), other, places - 1, targets, first(spots));
    return end;
}

static Packed *add_closed_by_moving(const Search *search, Packed *end, Men mine, Men other, Men spots) {
    Men targets = removable(search, other, 0);
    bool flying = flies(search, mine, other);
    for (; targets && spots; spots &= spots - 1) {
        int to = first(spots);
        for (Men from = flying ? mine : mine & neighbours[to]; from; from &= from - 1) {
            Men men = (mine ^ (from & -from)) | 1u << to;
            if ((men & lines[to][0]) == lines[to][0] || (men & lines[to][1]) == lines[to][1])
                end = add_removals(search, end, men, other, 0, targets, to);
        }
    }
    return end;
}

static int64_t *history_of(Search *search, Men changed) {
    int low = first(changed);
    changed &= changed - 1;
    return &search->history[low][changed ? first(changed) : low];
}

/* Insert a turn without a removal behind those since `quiet` that caused cutoffs at least as often. */
static Packed *add_quiet(Search *search, Packed *quiet, Packed *end, Men mine, Packed after) {
    int64_t often = *history_of(search, mine ^ other_men(after));
    Packed *place = end;
    for (; place > quiet && *history_of(search, mine ^ other_men(place[-1])) < often; place--) *place = place[-1];
    *place = after;
    return end + 1;
}

static Packed *add_turns(Search *search, Packed *begin, Packed position) {
    Men mine = own_men(position), other = other_men(position), free = ALL & ~(mine | other);
    int places = (int)(position >> TO_PLACE);
    if (places) {
        Men spots = closing_points(mine, free);
        Packed *quiet = add_closed_by_placing(search, begin, mine, other, places, spots), *end = quiet;
        if (quiet > begin) free ^= spots;
        for (; free; free &= free - 1)
            end = add_quiet(search, quiet, end, mine, shown_to_other(mine | (free & -free), other, places - 1));
        return end;
    }
    Packed *quiet = add_closed_by_moving(search, begin, mine, other, closing_points(mine, free)), *end = quiet;
    bool flying = flies(search, mine, other);
    Men outer = flying ? mine : free;
    for (; outer; outer &= outer - 1) {
        for (Men inner = flying ? free : mine & neighbours[first(outer)]; inner; inner &= inner - 1) {
            Men men = mine ^ (outer & -outer) ^ (inner & -inner);
            Packed *closed = begin;
            while (closed < quiet && other_men(*closed < 0 ? ~*closed : *closed) != men) closed++;
            if (closed == quiet) end = add_quiet(search, quiet, end, mine, shown_to_other(men, other, 0));
        }
    }
    return end;
}

static Packed *add_noisy(const Search *search, Packed *end, Packed position) {
    Men mine = own_men(position), other = other_men(position);
    int places = (int)(position >> TO_PLACE);
    Men spots = closing_points(mine, ALL & ~(mine | other));
    return places ? add_closed_by_placing(search, end, mine, other, places, spots)
                  : add_closed_by_moving(search, end, mine, other, spots);
}

/* The value of a position. */

static inline int on_square(Men mine, Men other) { return ternary[mine & 255] + 2 * ternary[other & 255]; }

static inline int on_lines_across(Men mine, Men other) {
    int place = 0;
    for (int square = 0, power = 1; square < 3; square++, power *= 9, mine >>= 8, other >>= 8)
        place += power * (middles[mine & 255] + 2 * middles[other & 255]);
    return place;
}

static int evaluate(const Search *search, Packed position) {
    Men mine = own_men(position), other = other_men(position);
    int places = (int)(position >> TO_PLACE), stage = places ? places & 1 : 2 + (count(mine | other) <= MANY);
    const int32_t *value = search->values + stage * STAGE;
    return value[on_square(mine, other)] + value[SQUARE + on_square(mine >> 8, other >> 8)] +
           value[2 * SQUARE + on_square(mine >> 16, other >> 16)] + value[3 * SQUARE + on_lines_across(mine, other)] +
           value[3 * SQUARE + ACROSS + on_lines_across(mine >> 2, other >> 2)];
}

/* Return the entry of a position, or else an unused one, or else the least deep of those where it may be. */
static Entry *find_entry(Search *search, Packed position) {
    uint64_t at = (uint64_t)position * 0x9E3779B97F4A7C15u >> 32;
    Entry *least = NULL;
    for (int probe = 0; probe < PROBES; probe++) {
        Entry *entry = &search->table[(at + probe) % SLOTS];
        if (!entry->key || (Packed)(entry->key << 8 >> 8) == position) return entry;
        if (!least || entry->key >> 56 < least->key >> 56) least = entry;
    }
    return least;
}

static int reply(Search *, Packed, int, int, int, int);

static int zero_window(Search *search, Packed after, int depth, int alpha, int beta, int ply) {
    int value = reply(search, after, depth, alpha, alpha + 1, ply);
    return alpha < value && value < beta ? reply(search, after, depth, alpha, beta, ply) : value;
}

static int quiesce(Search *search, Packed position, int alpha, int beta, int ply) {
    tick(&search->meter);
    int best = evaluate(search, position);
    if (best >= beta) return best;
    if (best > alpha) alpha = best;
    Packed *turn = search->turns + ply * MOST_TURNS, *end = add_noisy(search, turn, position);
    for (; turn < end; turn++) {
        int value = *turn < 0 ? WIN - ply : -quiesce(search, *turn, -beta, -alpha, ply + 1);
        if (value > best) {
            best = value;
            if (best > alpha) alpha = best;
            if (alpha >= beta) break;
        }
    }
    return best;
}

static bool is_noisy(Packed position, Packed after) { return ((position >> OTHER ^ after) & ALL) != 0; }

static int best_turn(Search *search, Packed position, const Packed *turns, int many, int depth, int alpha, int beta,
                     int ply, Packed *chosen) {
    int best = -WIN, reachable = depth == 1 ? evaluate(search, position) + QUIET_GAIN : WIN;
    *chosen = turns[0];
    for (int number = 0; number < many; number++) {
        Packed after = turns[number];
        int less = (number >= LATE) + (number >= LATER), value;
        if (less > depth - 1) less = depth - 1;
        if (number == 0)
            value = reply(search, after, depth - 1, alpha, beta, ply);
        else if (reachable <= alpha && best > -SURE_WIN && !is_noisy(position, after))
            value = reachable;
        else if (less && !is_noisy(position, after)) {
            value = reply(search, after, depth - 1 - less, alpha, alpha + 1, ply);
            if (value > alpha) value = zero_window(search, after, depth - 1, alpha, beta, ply);
        } else
            value = zero_window(search, after, depth - 1, alpha, beta, ply);
        if (value > best) {
            best = value;
            *chosen = after;
            if (best > alpha) alpha = best;
            if (alpha >= beta) break;
        }
    }
    return best;
}

static int search_position(Search *search, Packed position, int depth, int alpha, int beta, int ply) {
    tick(&search->meter);
    Entry *entry = find_entry(search, position);
    bool known = (Packed)(entry->key << 8 >> 8) == position;
    if (known && (int)(entry->key >> 56) >= depth) {
        if (entry->low >= beta || entry->low == entry->high) return entry->low;
        if (entry->high <= alpha) return entry->high;
    }
    Packed *turns = search->turns + ply * MOST_TURNS, chosen;
    int many = (int)(add_turns(search, turns, position) - turns);
    if (!many) return ply - WIN;
    if (known) {
        int at = 0;
        while (turns[at] != entry->best) at++;
        memmove(turns + 1, turns, at * sizeof *turns);
        turns[0] = entry->best;
    }
    search->seen[search->seen_count++] = position;
    int best = best_turn(search, position, turns, many, depth, alpha, beta, ply, &chosen);
    search->seen_count--;
    if (best >= beta) {
        Men changed = own_men(position) ^ other_men(chosen);
        if (changed && count(changed) <= 2) *history_of(search, changed) += depth * depth;
    }
    if (abs(best) < SURE_WIN)
        *find_entry(search, position) = (Entry){(uint64_t)depth << 56 | (uint64_t)position, chosen,
                                                best > alpha ? best : -WIN, best < beta ? best : WIN};
    return best;
}

static int reply(Search *search, Packed after, int depth, int alpha, int beta, int ply) {
    if (after < 0) return WIN - ply;
    for (Py_ssize_t at = after >> TO_PLACE ? 0 : search->seen_count; at-- > 0;)
        if (search->seen[at] == after) return ply & 1 ? -search->repetition : search->repetition;
    if (depth > 0) return -search_position(search, after, depth, -beta, -alpha, ply + 1);
    return -quiesce(search, after, -beta, -alpha, ply + 1);
}

/* The methods: what Python sees is in compiled.pyi. */

static int store_ranked(PyObject *list, const Packed *ranked, Py_ssize_t many) {
    for (Py_ssize_t at = 0; at < many; at++) {
        PyObject *position = PyLong_FromLongLong(ranked[at]);
        if (!position || PyList_SetItem(list, at, position) < 0) return -1;
    }
    return 0;
}

static int read_positions(PyObject *list, Packed *found, Py_ssize_t many) {
    for (Py_ssize_t at = 0; at < many; at++) {
        found[at] = PyLong_AsLongLong(PyList_GetItem(list, at));
        if (found[at] == -1 && PyErr_Occurred()) return -1;
    }
    return 0;
}

static PyObject *search_rank(Search *search, PyObject *args) {
    PyObject *list;
    int depth;
    if (!PyArg_ParseTuple(args, "O!i", &PyList_Type, &list, &depth)) return NULL;
    Py_ssize_t many = PyList_Size(list), seen_count = search->seen_count;
    if (many > MOST_TURNS || depth < 0 || depth > MOST_DEPTH) return PyErr_Format(PyExc_ValueError, "too many turns, or too deep");
    Packed *choices = search->turns + MOST_PLIES * MOST_TURNS, *ranked = choices + MOST_TURNS;
    if (read_positions(list, choices, many) < 0) return NULL;
    memcpy(ranked, choices, many * sizeof *ranked);
    volatile int best = -WIN;
    if (setjmp(search->meter.stop) == 0) {
        for (Py_ssize_t at = 0; at < many; at++) {
            Packed after = choices[at];
            int value = best > -WIN ? zero_window(search, after, depth, best, WIN, 0)
                                    : reply(search, after, depth, -WIN, WIN, 0);
            if (value <= best) continue;
            best = value;
            Py_ssize_t place = 0;
            while (ranked[place] != after) place++;
            memmove(ranked + 1, ranked, place * sizeof *ranked);
            ranked[0] = after;
        }
        return store_ranked(list, ranked, many) < 0 ? NULL : PyLong_FromLong(best);
    }
    search->seen_count = seen_count;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (store_ranked(list, ranked, many) < 0) return NULL;
    PyErr_Restore(type, value, traceback);
    return NULL;
}

static PyObject *search_reply(Search *search, PyObject *args) {
    long long after;
    int depth;
    if (!PyArg_ParseTuple(args, "Li", &after, &depth)) return NULL;
    if (depth < 0 || depth > MOST_DEPTH) return PyErr_Format(PyExc_ValueError, "too deep");
    Py_ssize_t seen_count = search->seen_count;
    if (setjmp(search->meter.stop)) {
        search->seen_count = seen_count;
        return NULL;
    }
    return PyLong_FromLong(reply(search, after, depth, -WIN, WIN, 0));
}

static int search_init(Search *search, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"allow", "weights", "seen", "repetition", "one_flies", "both_fly", "double_mill",
                            "removes_all", "removes_of_three", NULL};
    PyObject *allow, *weights, *seen;
    int repetition, one_flies, both_fly, double_mill, removes_all, removes_of_three;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OSO!ippppp", names, &allow, &weights, &PyList_Type, &seen,
                                     &repetition, &one_flies, &both_fly, &double_mill, &removes_all, &removes_of_three))
        return -1;
    if (search->table || PyBytes_Size(weights) != STAGES * STAGE * (Py_ssize_t)sizeof(int32_t)) {
        PyErr_SetString(PyExc_ValueError, "a second initialization, or weights of another size");
        return -1;
    }
    search->seen_count = PyList_Size(seen);
    search->table = calloc(SLOTS, sizeof *search->table);
    search->turns = calloc((MOST_PLIES + 2) * MOST_TURNS, sizeof *search->turns);
    search->seen = calloc(search->seen_count + MOST_PLIES, sizeof *search->seen);
    if (!search->table || !search->turns || !search->seen) {
        PyErr_NoMemory();
        return -1;
    }
    search->meter.allow = Py_NewRef(allow);
    search->weights = Py_NewRef(weights);
    search->values = (const int32_t *)PyBytes_AsString(weights);
    search->repetition = repetition;
    search->one_flies = one_flies;
    search->both_fly = both_fly;
    search->double_mill = double_mill;
    search->removes_all = removes_all;
    search->removes_of_three = removes_of_three;
    return read_positions(seen, search->seen, search->seen_count);
}

static void search_dealloc(Search *search) {
    Py_XDECREF(search->meter.allow);
    Py_XDECREF(search->weights);
    free(search->table);
    free(search->turns);
    free(search->seen);
    free_object((PyObject *)search);
}

static PyMethodDef search_methods[] = {
    {"rank", (PyCFunction)search_rank, METH_VARARGS, NULL},
    {"reply", (PyCFunction)search_reply, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot search_slots[] = {
    {Py_tp_init, search_init}, {Py_tp_dealloc, search_dealloc}, {Py_tp_methods, search_methods}, {0, NULL}};

static PyType_Spec search_spec = {"service.domain.games.morris.compiled.Search", sizeof(Search), 0, Py_TPFLAGS_DEFAULT,
                                  search_slots};

static void draw_board(void) {
    for (int at = 0; at < POINTS; at++) {
        int square = at & ~7, next = square + (at + 1) % 8, before = square + (at + 7) % 8;
        Men along = 1u << next | 1u << before;
        if (at % 2) {
            Men across = 1u << (at + 8) % POINTS | 1u << (at + 16) % POINTS;
            lines[at][0] = along;
            lines[at][1] = across;
            neighbours[at] = along | (square == 8 ? across : 1u << (8 + at % 8));
        } else {
            lines[at][0] = 1u << next | 1u << (square + (at + 2) % 8);
            lines[at][1] = 1u << before | 1u << (square + (at + 6) % 8);
            neighbours[at] = along;
        }
    }
    for (int men = 0; men < 256; men++) {
        ternary[men] = 0;
        for (int point = 0, power = 1; point < 8; point++, power *= 3) ternary[men] += power * (men >> point & 1);
        middles[men] = (men >> 1 & 1) + 3 * (men >> 5 & 1);
    }
}

static int add_to_module(PyObject *module) {
    draw_board();
    return add_type(module, &search_spec);
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, add_to_module}, {0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "compiled", NULL, 0, NULL, module_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_compiled(void) { return PyModuleDef_Init(&module); }
