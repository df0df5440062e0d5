// The list of rules. A finding reports the violation of one rule. Each rule belongs to one kind of mistake.
// The second list has the fixes for races. The names are used in JSON, and common/words has a sentence for
// each.
#pragma once

#include <string_view>

namespace kit::facts {

// X(rule, kind): each kind has a row in common/diagnoses.hpp and a page in lectures/diagnoses.
#define KIT_RULES(X)                                              \
    /* accesses that nothing orders, and bytes without a value */ \
    X(race, race)                                                 \
    X(unwritten, uninitialised)                                   \
    X(unwritten_copy, uninitialised)                              \
    X(discarded, discarded)                                       \
    X(discarded_copy, discarded)                                  \
    X(undefined_lane, warp)                                       \
    X(undefined_lane_copy, warp)                                  \
    X(undefined_store, warp)                                      \
    X(outlived, address)                                          \
    X(copy_outlives_block, address)                               \
    /* addresses */                                               \
    X(out_of_bounds, address)                                     \
    X(out_of_bounds_somewhere, address)                           \
    X(before_shared, address)                                     \
    X(before_element, address)                                    \
    X(beyond_neighbour, address)                                  \
    X(neighbour_to_come, address)                                 \
    X(neighbour_gone, address)                                    \
    X(writes_constant, constant)                                  \
    X(misaligned, misaligned)                                     \
    X(misaligned_somewhere, misaligned)                           \
    X(another_device, address)                                    \
    X(another_device_ordered, address)                            \
    X(nothing_there, address)                                     \
    X(host_string, host_pointer)                                  \
    X(host_memory, host_pointer)                                  \
    X(operand_of_host, host_pointer)                              \
    X(constant_of_host, constant)                                 \
    /* threads that wait */                                       \
    X(threads_missing, deadlock)                                  \
    X(two_barriers, barrier)                                      \
    X(block_parts, barrier)                                       \
    X(warp_parts, warp)                                           \
    X(lane_not_named, warp)                                       \
    X(warp_not_full, warp)                                        \
    X(tensor_arguments_differ, warp)                              \
    X(tensor_by_index, warp)                                      \
    X(tensor_stored_by_index, warp)                               \
    X(arrives_twice, barrier)                                     \
    X(waits_unarrived, barrier)                                   \
    X(too_many_arrivals, barrier)                                 \
    X(foreign_token, barrier)                                     \
    X(old_token, barrier)                                         \
    X(grid_sync_refused, deadlock)                                \
    X(grid_sync_left, deadlock)                                   \
    X(endless_kernel, timeout)                                    \
    X(endless_grid, timeout)                                      \
    X(endless_family, timeout)                                    \
    X(endless_tails, timeout)                                     \
    X(endless_while, timeout)                                     \
    /* faults of kernels and of host code */                      \
    X(held_by_no_block, address)                                  \
    X(no_such_block, address)                                     \
    X(stream_of_another_grid, argument)                           \
    X(private_argument, address)                                  \
    X(private_copy, address)                                      \
    X(no_children_in_body, graph)                                 \
    X(no_children_in_device_graph, graph)                         \
    X(not_by_pointer, launch)                                     \
    X(unknown_parameters, launch)                                 \
    X(no_stacks, memory)                                          \
    X(too_much_shared, shared_limit)                              \
    X(wrote_past_end, address)                                    \
    X(missing_return, trap)                                       \
    X(trapped, trap)                                              \
    X(assertion, assert)                                          \
    X(divided_by_zero, division)                                  \
    X(illegal_instruction, trap)                                  \
    X(out_of_stack, stack)                                        \
    X(null_pointer, address)                                      \
    X(near_null_pointer, address)                                 \
    X(bad_address, address)                                       \
    X(bad_address_near, address)                                  \
    X(touched_by_host, host_access)                               \
    X(touched_by_host_far, host_access)                           \
    X(managed_in_use, host_access)                                \
    X(host_function_in_kernel, host_api)                          \
    X(waits_for_children, host_api)                               \
    X(no_such_tile, trap)                                         \
    /* operations of tensor cores */                              \
    X(tensor_misaligned, misaligned)                              \
    X(tensor_stride, misaligned)                                  \
    X(tensor_unset, uninitialised)                                \
    X(tensor_register_unset, uninitialised)                       \
    /* asynchronous copies */                                     \
    X(copy_source_not_aligned, misaligned)                        \
    X(copy_destination_not_aligned, misaligned)                   \
    X(copy_size_not_aligned, misaligned)                          \
    X(no_such_copy_size, argument)                                \
    X(printed_precision, argument)                                \
    X(no_bulk_copy_to_shared, address)                            \
    X(no_bulk_copy_to_global, address)                            \
    /* copies and fills by the host */                            \
    X(through_null, address)                                      \
    X(nothing_allocated, address)                                 \
    X(kernels_own_memory, argument)                               \
    X(after_free_async, address)                                  \
    X(past_the_end, address)                                      \
    X(not_there_now, address)                                     \
    X(freed_meanwhile, address)                                   \
    X(wrong_direction, argument)                                  \
    X(fills_host_memory, argument)                                \
    X(beyond_variable, address)                                   \
    X(memory_of_another, argument)                                \
    X(fill_of_another, argument)                                  \
    X(event_of_another, argument)                                 \
    /* memory that is freed */                                    \
    X(freed_before, address)                                      \
    X(never_allocated, argument)                                  \
    X(freed_inside, argument)                                     \
    X(freed_by_another_function, argument)                        \
    X(graph_has_node, argument)                                   \
    X(graph_has_not_run, argument)                                \
    X(kernel_frees_hosts, argument)                               \
    X(kernel_frees_inside, argument)                              \
    X(kernel_frees_unallocated, argument)                         \
    X(kernel_frees_again, argument)                               \
    X(node_frees_again, argument)                                 \
    X(node_frees_unallocated, argument)                           \
    X(freed_twice_in_stream, address)                             \
    X(freed_by_graph_too_early, address)                          \
    X(device_memory_freed_as_hosts, argument)                     \
    X(leak, leak)                                                 \
    X(more_leaks, leak)                                           \
    X(left_allocated, leak)                                       \
    X(left_stream, leak)                                          \
    X(left_event, leak)                                           \
    X(left_graph, leak)                                           \
    X(left_instance, leak)                                        \
    /* launches */                                                \
    X(block_without_threads, launch)                              \
    X(grid_without_blocks, launch)                                \
    X(too_many_threads, launch)                                   \
    X(block_too_large, launch)                                    \
    X(grid_too_large, launch)                                     \
    X(blocks_cannot_meet, launch)                                 \
    X(beyond_launch_bounds, launch)                               \
    X(too_many_registers, launch)                                 \
    X(too_many_constants, launch)                                 \
    X(too_much_static_shared, launch)                             \
    X(too_much_dynamic_shared, launch)                            \
    X(cluster_not_set, launch)                                    \
    X(clusters_too_new, launch)                                   \
    X(cluster_without_blocks, launch)                             \
    X(kernel_has_cluster, launch)                                 \
    X(cluster_too_large, launch)                                  \
    X(cluster_not_portable, launch)                               \
    X(cluster_beyond_bounds, launch)                              \
    X(cluster_does_not_divide, launch)                            \
    X(attribute_without_blocks, launch)                           \
    X(attribute_without_policy, launch)                           \
    X(attribute_too_many_percent, launch)                         \
    X(attribute_without_window, launch)                           \
    X(attribute_not_offered, launch)                              \
    X(not_offered, argument)                                      \
    X(array_not_offered, argument)                                \
    X(node_not_offered, argument)                                 \
    /* captures and graphs */                                     \
    X(capture_default_stream, capture)                            \
    X(capture_not_repeated, capture)                              \
    X(capture_has_no_node, capture)                               \
    X(capture_waits_for_stream, capture)                          \
    X(capture_waits_for_event, capture)                           \
    X(capture_waits_for_device, capture)                          \
    X(capture_event_from_outside, capture)                        \
    X(capture_event_of_ended, capture)                            \
    X(capture_default_stream_joins, capture)                      \
    X(capture_merges_two, capture)                                \
    X(capture_frees_strange_memory, capture)                      \
    X(capture_frees_again, capture)                               \
    X(capture_ends_elsewhere, capture)                            \
    X(capture_not_joined, capture)                                \
    X(graph_has_cycle, graph)                                     \
    X(graph_has_instance, graph)                                  \
    X(graph_memory_not_freed, graph)                              \
    X(launched_outside_of_graphs, graph)                          \
    X(launched_in_body, graph)                                    \
    X(launched_into_no_stream, graph)                             \
    X(launched_no_instance, graph)                                \
    X(launched_not_for_device, graph)                             \
    X(launched_not_uploaded, graph)                               \
    X(launched_active, graph)                                     \
    X(launched_itself_twice, graph)                               \
    X(launched_too_many_fired, graph)                             \
    X(launched_too_many_tails, graph)                             \
    X(not_in_device_graph, graph)                                 \
    X(device_graph_frees, graph)                                  \
    X(device_graph_empty, graph)                                  \
    X(not_in_body, graph)                                         \
    X(conditional_has_instance, graph)                            \
    X(handle_has_node, graph)                                     \
    X(handle_of_another_graph, graph)                             \
    X(condition_unknown, uninitialised)                           \
    X(condition_not_ordered, race)                                \
    X(condition_set_by_two, race)                                 \
    X(strange_condition, graph)                                   \
    X(change_no_node, graph)                                      \
    X(change_not_uploaded, graph)                                 \
    X(change_without_upload, graph)                               \
    X(change_no_field, graph)                                     \
    X(change_no_block, graph)                                     \
    X(no_parameter_there, graph)                                  \
    X(changed_by_two, race)                                       \
    X(change_not_ordered, race)                                   \
    X(updatable_second_instance, graph)                           \
    X(updatable_removed, graph)                                   \
    X(updatable_taken_back, graph)                                \
    X(updatable_no_flag, graph)                                   \
    X(updatable_attributes_copied, graph)                         \
    X(updatable_graph_updated, graph)                             \
    X(updatable_cloned, graph)                                    \
    X(updatable_not_captured, graph)                              \
    /* hints to the L2 cache */                                   \
    X(hint_for_shared_memory, argument)                           \
    X(hint_out_of_bounds, address)                                \
    X(window_left, persisting)                                    \
    X(lines_left_by_window, persisting)                           \
    X(lines_left_by_access, persisting)                           \
    /* ranks and PEs */                                           \
    X(ranks_differ, deadlock)                                     \
    X(ranks_missing, deadlock)                                    \
    X(ranks_only_recorded, deadlock)                              \
    X(ranks_in_two_orders, deadlock)                              \
    X(ranks_without_group, deadlock)                              \
    X(send_buffer_of_host, argument)                              \
    X(receive_buffer_of_host, argument)                           \
    X(send_buffer_of_another_device, argument)                    \
    X(receive_buffer_of_another_device, argument)                 \
    X(rank_in_stream_of_another, argument)                        \
    X(no_pes, argument)                                           \
    X(no_such_pe, argument)                                       \
    X(not_symmetric, argument)                                    \
    X(symmetric_of_another, argument)                             \
    X(symmetric_too_short, argument)                              \
    X(waits_for_nobody, deadlock)                                 \
    X(pes_differ, deadlock)                                       \
    X(pes_missing, deadlock)                                      \
    X(pes_share_device, argument)                                 \
    X(not_initialised, argument)                                  \
    X(not_from_heap, argument)                                    \
    /* what a test demands of the warps of a kernel */            \
    X(too_many_units, sectors)                                    \
    X(too_few_lanes, divergence)                                  \
    X(too_many_branches, divergence)

// X(fix): the synchronization that would have ordered the two accesses of a race.
#define KIT_FIXES(X)         \
    X(none)                  \
    X(wider_scope)           \
    X(system_scope)          \
    X(one_size)              \
    X(second_atomic)         \
    X(release)               \
    X(wider_release)         \
    X(acquire)               \
    X(wider_acquire)         \
    X(fences_around_atomic)  \
    X(barrier_beside_atomic) \
    X(cluster_barrier)       \
    X(grid_barrier)          \
    X(copys_begin)           \
    X(copys_end)             \
    X(puts_end)              \
    X(puts_source)           \
    X(one_put)               \
    X(signal)                \
    X(fence_behind_signal)   \
    X(message)               \
    X(own_elements)          \
    X(own_place)             \
    X(atomic_update)         \
    X(barrier)               \
    X(stream_of_siblings)    \
    X(parents_patience)      \
    X(sight_of_child)        \
    X(system_scope_of_host)  \
    X(fence_for_host)        \
    X(waiting_host)          \
    X(edge)                  \
    X(stream_of_kernels)     \
    X(stream)

/// The rules. `none` stands for a rule that is not in this list.
enum class Rule {
    none,
#define KIT_NAME(name, kind) name,
    KIT_RULES(KIT_NAME)
#undef KIT_NAME
};

enum class Fix {
#define KIT_NAME(name) name,
    KIT_FIXES(KIT_NAME)
#undef KIT_NAME
};

struct RuleRow {
    const char *name, *kind;
};
constexpr RuleRow rule_rows[] = {{"none", ""},
#define KIT_ROW(name, kind) {#name, #kind},
                                 KIT_RULES(KIT_ROW)
#undef KIT_ROW
};
constexpr const char* fix_names[] = {
#define KIT_ROW(name) #name,
    KIT_FIXES(KIT_ROW)
#undef KIT_ROW
};

constexpr const char* name_of(Rule rule) {
    return rule_rows[static_cast<int>(rule)].name;
}
constexpr const char* kind_of(Rule rule) {
    return rule_rows[static_cast<int>(rule)].kind;
}
constexpr const char* name_of(Fix fix) {
    return fix_names[static_cast<int>(fix)];
}

/// Returns the rule with this name; `none` if there is none.
Rule rule_named(std::string_view name);

}  // namespace kit::facts
