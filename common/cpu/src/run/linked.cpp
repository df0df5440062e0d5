// Defines the variable to which objects of kitcc refer (kit_cpu/link_advice.hpp).
#include <kit_cpu/link_advice.hpp>

extern "C" {
extern const char kit_needs_kitcc asm("\"" KIT_LINK_ADVICE "\"");
const char kit_needs_kitcc = 1;
}
