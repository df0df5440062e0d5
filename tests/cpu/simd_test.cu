// Arithmetic on the four bytes or the two halves of a word: with wrap-around, with saturation, and
// comparisons.
#include "conformance.cuh"

__global__ void bytes(unsigned a, unsigned b, unsigned* out) {
    int k = 0;
    out[k++] = __vadd4(a, b);
    out[k++] = __vaddss4(a, a);
    out[k++] = __vaddus4(a, b);
    out[k++] = __vsub4(a, b);
    out[k++] = __vsubss4(a, b);
    out[k++] = __vsubus4(a, b);
    out[k++] = __vavgu4(a, b);
    out[k++] = __vhaddu4(a, b);
    out[k++] = __vmaxs4(a, b);
    out[k++] = __vmaxu4(a, b);
    out[k++] = __vmins4(a, b);
    out[k++] = __vminu4(a, b);
    out[k++] = __vabsdiffs4(a, b);
    out[k++] = __vabsdiffu4(a, b);
    out[k++] = __vabs4(a);
    out[k++] = __vabsss4(a);
    out[k++] = __vneg4(a);
    out[k++] = __vnegss4(a);
    out[k++] = __vsads4(a, b);
    out[k++] = __vsadu4(a, b);
}

// The bytes are 80 01 7f 02 and 01 ff 81 02; as signed numbers, they are -128, 1, 127, 2 and 1, -1, -127, 2.
CASE("__vadd4, __vmaxs4 and their relatives work on four bytes") {
    Buffer<unsigned> out(20);
    bytes<<<1, 1>>>(0x80017f02u, 0x01ff8102u, out);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned>{0x81000004u, 0x80027f04u, 0x81ffff04u, 0x7f02fe00u, 0x80027f00u,
                                      0x7f000000u, 0x41808002u, 0x40808002u, 0x01017f02u, 0x80ff8102u,
                                      0x80ff8102u, 0x01017f02u, 0x8102fe00u, 0x7ffe0200u, 0x80017f02u,
                                      0x7f017f02u, 0x80ff81feu, 0x7fff81feu, 385,         383});
}

__global__ void halves(unsigned a, unsigned b, unsigned* out) {
    int k = 0;
    out[k++] = __vadd2(a, b);
    out[k++] = __vaddss2(a, a);
    out[k++] = __vaddus2(a, b);
    out[k++] = __vsub2(a, b);
    out[k++] = __vsubss2(a, b);
    out[k++] = __vsubus2(a, b);
    out[k++] = __vmaxs2(a, b);
    out[k++] = __vmaxu2(a, b);
    out[k++] = __vminu2(a, b);
    out[k++] = __vcmpgtu2(a, b);
    out[k++] = __vsetlts2(a, b);
    out[k++] = __vsads2(a, b);
    out[k++] = __vsadu2(a, b);
    out[k++] = __vneg2(a);
    out[k++] = __vabs2(a);
}

CASE("__vadd2, __vmaxs2 and their relatives work on two halves") {
    Buffer<unsigned> out(15);
    halves<<<1, 1>>>(0x80017f02u, 0x01ff8102u, out);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned>{0x82000004u, 0x80007fffu, 0x8200ffffu, 0x7e02fe00u, 0x80007fffu,
                                      0x7e020000u, 0x01ff7f02u, 0x80018102u, 0x01ff7f02u, 0xffff0000u,
                                      0x00010000u, 98302, 32770, 0x7fff80feu, 0x7fff7f02u});
}

__global__ void comparisons(unsigned a, unsigned b, unsigned* out) {
    int k = 0;
    out[k++] = __vcmpeq4(a, b);
    out[k++] = __vcmpges4(a, b);
    out[k++] = __vcmpgts4(a, b);
    out[k++] = __vcmples4(a, b);
    out[k++] = __vcmplts4(a, b);
    out[k++] = __vsetne4(a, b);
    out[k++] = __vsetgeu4(a, b);
    out[k++] = __vsetgtu4(a, b);
    out[k++] = __vsetleu4(a, b);
    out[k++] = __vsetltu4(a, b);
}

CASE("__vcmp fills a byte with ones, __vset makes it 1") {
    Buffer<unsigned> out(10);
    comparisons<<<1, 1>>>(0x80017f02u, 0x01ff8102u, out);
    CHECK_EQUAL(out.read(),
                std::vector<unsigned>{0xffu, 0x00ffffffu, 0x00ffff00u, 0xff0000ffu, 0xff000000u, 0x01010100u,
                                      0x01000001u, 0x01000000u, 0x00010101u, 0x00010100u});
}

CONFORMANCE_MAIN("simd")
