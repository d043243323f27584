/* ABI-2: a shared library that is no backend. */
int something_else(void);
int something_else(void) { return 0; }
