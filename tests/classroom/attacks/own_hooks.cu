// attack: defines the hooks itself, so that the executor does not see what its kernels do
// outcome: broken
// says: kit's own
extern "C" void __tsan_write4(void*) {}
extern "C" void __tsan_read4(void*) {}
static void attack() {}
