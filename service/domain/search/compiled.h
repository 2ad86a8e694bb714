/* What the compiled searches share: their budget, and how a module with one type is made. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Counts positions like `Meter` in meter.py. */
typedef struct {
    PyObject *allow; /* returns how many positions may be searched before it is called again */
    long allowed;
    jmp_buf stop;    /* where a search ends whose budget is spent, with an exception set */
} Meter;

static void tick(Meter *meter) {
    if (meter->allowed == 0) {
        PyObject *allowed = PyObject_CallNoArgs(meter->allow);
        meter->allowed = allowed ? PyLong_AsLong(allowed) : 0;
        Py_XDECREF(allowed);
        if (PyErr_Occurred()) {
            meter->allowed = 0;
            longjmp(meter->stop, 1);
        }
    }
    meter->allowed--;
}

static void free_object(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static int add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    int failed = !type || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
