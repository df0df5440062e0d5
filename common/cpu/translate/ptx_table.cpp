// The tables of PTX instructions and of special registers.
#include "ptx_table.hpp"

#include <map>
#include <string_view>

#include "ptx.hpp"

namespace kit::translate {
namespace {

const std::map<std::string_view, const char*> registers = {
    {"%laneid", "::kit::cpu::lane_id()"},
    {"%warpid", "::kit::cpu::warp_id()"},
    {"%smid", "::kit::cpu::multiprocessor()"},
    {"%nsmid", "::kit::cpu::multiprocessors()"},
    {"%clock", "clock64()"},
    {"%clock64", "clock64()"},
    {"%globaltimer", "::kit::cpu::nanoseconds()"},
    {"%lanemask_eq", "(1u << ::kit::cpu::lane_id())"},
    {"%lanemask_lt", "((1u << ::kit::cpu::lane_id()) - 1)"},
    {"%lanemask_le", "((2u << ::kit::cpu::lane_id()) - 1)"},
    {"%lanemask_gt", "~((2u << ::kit::cpu::lane_id()) - 1)"},
    {"%lanemask_ge", "~((1u << ::kit::cpu::lane_id()) - 1)"},
    {"%tid.x", "threadIdx.x"},
    {"%tid.y", "threadIdx.y"},
    {"%tid.z", "threadIdx.z"},
    {"%ctaid.x", "blockIdx.x"},
    {"%ctaid.y", "blockIdx.y"},
    {"%ctaid.z", "blockIdx.z"},
    {"%ntid.x", "blockDim.x"},
    {"%ntid.y", "blockDim.y"},
    {"%ntid.z", "blockDim.z"},
    {"%nctaid.x", "gridDim.x"},
    {"%nctaid.y", "gridDim.y"},
    {"%nctaid.z", "gridDim.z"},
    {"%nwarpid", "((blockDim.x * blockDim.y * blockDim.z + 31) / 32)"},
    {"%dynamic_smem_size", "::kit::cpu::dynamic_shared_bytes()"},
    {"WARP_SZ", "32"}};

/// The instructions by opcode. The longest entry with which an opcode begins applies.
const std::map<std::string, PtxMeaning> meanings = {
    {"mov", {"$1"}},
    {"add", {"$1 + $2"}},
    {"sub", {"$1 - $2"}},
    {"and", {"$1 & $2"}},
    {"or", {"$1 | $2"}},
    {"xor", {"$1 ^ $2"}},
    {"not", {"~$1"}},
    {"neg", {"-$1"}},
    {"abs", {"$1 < 0 ? -$1 : $1"}},
    {"min", {"$2 < $1 ? $2 : $1"}},
    {"max", {"$1 < $2 ? $2 : $1"}},
    {"shl", {"$2 < 8 * sizeof($T) ? $1 << $2 : 0"}},
    {"shr.u32", {"$2 < 32 ? $1 >> $2 : 0"}},
    {"shr.b32", {"$2 < 32 ? $1 >> $2 : 0"}},
    {"shr.u64", {"$2 < 64 ? $1 >> $2 : 0"}},
    {"shr.b64", {"$2 < 64 ? $1 >> $2 : 0"}},
    {"shr.s32", {"$1 >> ($2 < 32 ? $2 : 31)"}},
    {"mul.lo", {"$1 * $2"}},
    {"mul.f32", {"$1 * $2"}},
    {"mul.f64", {"$1 * $2"}},
    {"mul.rn", {"$1 * $2"}},
    {"mul.hi.u32", {"__umulhi($1, $2)"}},
    {"mul.hi.s32", {"__mulhi($1, $2)"}},
    {"mul.hi.u64", {"__umul64hi($1, $2)"}},
    {"mad.lo", {"$1 * $2 + $3"}},
    {"mul24.lo.s32", {"__mul24($1, $2)"}},
    {"mul24.lo.u32", {"__umul24($1, $2)"}},
    {"div", {"$1 / $2"}},
    {"rem", {"$1 % $2"}},
    {"sad", {"($1 < $2 ? $2 - $1 : $1 - $2) + $3"}},
    {"bfe", {"::kit::cpu::ptx::bit_field_extract($1, $u2, $u3)"}},
    {"bfi", {"::kit::cpu::ptx::bit_field_insert($1, $2, $u3, $u4)"}},
    {"lop3.b32", {"::kit::cpu::ptx::logic($1, $2, $3, $u4)"}},
    {"shf.l.wrap.b32", {"__funnelshift_l($1, $2, $3)"}},
    {"shf.r.wrap.b32", {"__funnelshift_r($1, $2, $3)"}},
    {"shf.l.clamp.b32", {"__funnelshift_lc($1, $2, $3)"}},
    {"shf.r.clamp.b32", {"__funnelshift_rc($1, $2, $3)"}},
    {"dp4a.u32.u32", {"__dp4a($1, $2, $3)"}},
    {"dp4a.s32.s32", {"__dp4a($1, $2, $3)"}},
    {"add.cc", {"::kit::cpu::ptx::add($1, $2, false, true)"}},
    {"addc", {"::kit::cpu::ptx::add($1, $2, true, false)"}},
    {"addc.cc", {"::kit::cpu::ptx::add($1, $2, true, true)"}},
    {"sub.cc", {"::kit::cpu::ptx::subtract($1, $2, false, true)"}},
    {"subc", {"::kit::cpu::ptx::subtract($1, $2, true, false)"}},
    {"subc.cc", {"::kit::cpu::ptx::subtract($1, $2, true, true)"}},
    {"mad.lo.cc", {"::kit::cpu::ptx::add($1 * $2, $3, false, true)"}},
    {"madc.lo", {"::kit::cpu::ptx::add($1 * $2, $3, true, false)"}},
    {"madc.lo.cc", {"::kit::cpu::ptx::add($1 * $2, $3, true, true)"}},
    {"mad.hi.u32", {"__umulhi($1, $2) + $3"}},
    {"mad.hi.cc.u32", {"::kit::cpu::ptx::add(__umulhi($1, $2), $3, false, true)"}},
    {"madc.hi.u32", {"::kit::cpu::ptx::add(__umulhi($1, $2), $3, true, false)"}},
    {"madc.hi.cc.u32", {"::kit::cpu::ptx::add(__umulhi($1, $2), $3, true, true)"}},
    {"mad.hi.u64", {"__umul64hi($1, $2) + $3"}},
    {"mad.hi.cc.u64", {"::kit::cpu::ptx::add(__umul64hi($1, $2), $3, false, true)"}},
    {"madc.hi.u64", {"::kit::cpu::ptx::add(__umul64hi($1, $2), $3, true, false)"}},
    {"madc.hi.cc.u64", {"::kit::cpu::ptx::add(__umul64hi($1, $2), $3, true, true)"}},
    {"redux.sync.add", {"__reduce_add_sync($u2, $1)"}},
    {"redux.sync.min", {"__reduce_min_sync($u2, $1)"}},
    {"redux.sync.max", {"__reduce_max_sync($u2, $1)"}},
    {"redux.sync.and.b32", {"__reduce_and_sync($u2, $1)"}},
    {"redux.sync.or.b32", {"__reduce_or_sync($u2, $1)"}},
    {"redux.sync.xor.b32", {"__reduce_xor_sync($u2, $1)"}},
    {"vote.sync.ballot.b32", {"__ballot_sync($u2, $1)"}},
    {"vote.sync.any.pred", {"__any_sync($u2, $1)"}},
    {"vote.sync.all.pred", {"__all_sync($u2, $1)"}},
    {"match.any.sync.b32", {"__match_any_sync($u2, $1)"}},
    {"cp.async.commit_group", {"::kit::cpu::ptx::commit_group()", false}},
    {"cp.async.wait_group", {"::kit::cpu::ptx::wait_group($0)", false}},
    {"cp.async.wait_all", {"::kit::cpu::ptx::wait_all()", false}},
    {"activemask.b32", {"__activemask()"}},
    {"shfl.sync.idx.b32",
     {"::kit::cpu::ptx::shuffle('i', [](auto... kit_each) { return __shfl_sync(kit_each...); }, $1, $2, $3, "
      "$4)"}},
    {"shfl.sync.up.b32",
     {"::kit::cpu::ptx::shuffle('u', [](auto... kit_each) { return __shfl_up_sync(kit_each...); }, $1, $2, "
      "$3, "
      "$4)"}},
    {"shfl.sync.down.b32",
     {"::kit::cpu::ptx::shuffle('d', [](auto... kit_each) { return __shfl_down_sync(kit_each...); }, $1, $2, "
      "$3, "
      "$4)"}},
    {"shfl.sync.bfly.b32",
     {"::kit::cpu::ptx::shuffle('b', [](auto... kit_each) { return __shfl_xor_sync(kit_each...); }, $1, $2, "
      "$3, "
      "$4)"}},
    {"tanh.approx.f32", {"__builtin_tanhf($1)"}},
    {"sqrt.rn.f64", {"__builtin_sqrt($1)"}},
    {"rcp.rn.f64", {"1.0 / $1"}},
    {"div.approx.f32", {"$1 / $2"}},
    {"div.full.f32", {"$1 / $2"}},
    {"copysign.f32", {"__builtin_copysignf($2, $1)"}},
    {"copysign.f64", {"__builtin_copysign($2, $1)"}},
    {"cnot", {"$1 == 0"}},
    {"fma.rn", {"__builtin_fma($1, $2, $3)"}},
    {"fma.rn.f32", {"__builtin_fmaf($1, $2, $3)"}},
    {"popc.b32", {"__popc($1)"}},
    {"popc.b64", {"__popcll($1)"}},
    {"clz.b32", {"__clz($1)"}},
    {"clz.b64", {"__clzll($1)"}},
    {"brev.b32", {"__brev($1)"}},
    {"brev.b64", {"__brevll($1)"}},
    {"prmt.b32", {"__byte_perm($1, $2, $3)"}},
    {"sqrt.approx.f32", {"__builtin_sqrtf($1)"}},
    {"sqrt.rn.f32", {"__builtin_sqrtf($1)"}},
    {"rsqrt.approx.f32", {"rsqrtf($1)"}},
    {"rcp.approx.f32", {"1.0f / $1"}},
    {"rcp.rn.f32", {"1.0f / $1"}},
    {"ex2.approx.f32", {"__builtin_exp2f($1)"}},
    {"lg2.approx.f32", {"__builtin_log2f($1)"}},
    {"sin.approx.f32", {"__builtin_sinf($1)"}},
    {"cos.approx.f32", {"__builtin_cosf($1)"}},
    {"bar.warp.sync", {"__syncwarp($0)", false}},
    {"membar.cta", {"__threadfence_block()", false}},
    {"membar.gl", {"__threadfence()", false}},
    {"membar.sys", {"__threadfence_system()", false}},
    {"nanosleep.u32", {"__nanosleep($0)", false}},
    {"trap", {"__trap()", false}},
    {"fence.acq_rel.cta", {"__threadfence_block()", false}},
    {"fence.acq_rel.gpu", {"__threadfence()", false}},
    {"fence.acq_rel.sys", {"__threadfence_system()", false}},
    {"fence.sc.cta", {"__threadfence_block()", false}},
    {"fence.sc.gpu", {"__threadfence()", false}},
    {"fence.sc.sys", {"__threadfence_system()", false}},
    {"prefetch", {"0", false}},
    {"prefetchu", {"0", false}}};

}  // namespace

const PtxMeaning* ptx_meaning(const std::string& opcode, std::size_t& used) {
    const PtxMeaning* meaning = nullptr;
    used = 0;
    for (const auto& [name, one] : meanings) {
        const bool fits = opcode.compare(0, name.size(), name) == 0;
        if (!fits || (opcode.size() > name.size() && opcode[name.size()] != '.') || name.size() < used)
            continue;
        meaning = &one;
        used = name.size();
    }
    return meaning;
}

const char* special_register(std::string_view name) {
    const auto found = registers.find(name);
    return found == registers.end() ? nullptr : found->second;
}

}  // namespace kit::translate
