/* A backend with one planted fault: everything of the portable backend, one operation replaced.
 * A faulty backend is a file that includes this one, defines the replacement, and ends in FAULT(...). */
#ifndef ETALON_FAULT_H
#define ETALON_FAULT_H

#include "etalon/backend.h"

/* The portable backend's symbol and what it declares, under another name. */
#define etalon_backend portable_backend
static const etalon_core* portable_backend(void);
#include "conformance/backends/portable/portable.c"
#undef etalon_backend

#define OPERATION_COUNT (sizeof operations / sizeof operations[0])

/* FAULT(half_split_layout, sinusoidal, faulty, {0}): the backend "half_split_layout", whose sinusoidal is
 * `faulty` under that model, and which is portable in all else. Dtypes stay those of the portable entry. */
#define FAULT(fault, operation, implementation, ...)                                          \
  const etalon_core* etalon_backend(void) {                                                   \
    static etalon_operation changed[OPERATION_COUNT];                                         \
    static etalon_core core;                                                                  \
    const etalon_operation replacement =                                                      \
        ETALON_OPERATION(operation, implementation, ETALON_FLOATS, __VA_ARGS__);              \
    for (size_t i = 0; i < OPERATION_COUNT; i++)                                              \
      changed[i] = strcmp(operations[i].name, #operation) == 0 ? replacement : operations[i]; \
    core = *portable_backend();                                                               \
    core.name = #fault;                                                                       \
    core.operations = changed;                                                                \
    return &core;                                                                             \
  }

#endif
