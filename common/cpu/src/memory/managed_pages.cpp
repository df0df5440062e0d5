// Follows the pages of managed memory: protects them, handles faults, and counts.
#include "managed_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "device/devices.hpp"
#include "device/spin_lock.hpp"
#include "page_table.hpp"
#include "source/source_lines.hpp"

namespace kit::cpu {
namespace {

SpinLock pages_lock;
auto& tables = *new std::map<const char*, Table>;  // by the first byte of the allocation
std::atomic<bool> any{false};                      // whether there are tables

int view = the_host;  // the processor for which the pages are protected
int views = 0;        // number of ManagedViews
thread_local int views_of_thread = 0;
bool is_given = false;  // whether a device without concurrent access has all pages
auto& user = *new ManagedUser;

PageCounts total;
auto& kernels = *new std::vector<KernelPages>;
constexpr std::size_t most_kernels = 10'000;
std::size_t kernel_now = most_kernels;  // index of the running kernel, if it is counted
auto& unordered_now =
    *new std::set<std::uint64_t>;  // prefetches after which the running kernel is not ordered
const void* first_host_instruction = nullptr;

bool follows() {
    static bool const asked = [] {
        const char* const wanted = std::getenv("KIT_PAGES");
        return wanted && std::strcmp(wanted, "1") == 0;
    }();
    return asked;
}
bool following = follows();

bool concurrent = true;

// The protection of pages.

std::uint8_t protection_for(const Page& page, int processor) {
    if (processor == the_host && is_given) return PROT_NONE;
    if (!(page.open & bit_of(processor))) return PROT_NONE;
    return page.is_duplicated() ? PROT_READ : PROT_READ | PROT_WRITE;
}

/// Protects these pages for the processor of the view. If the operating system has no mapping left, they stay accessible.
void protect(Table& table, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end;) {
        const std::uint8_t wanted = protection_for(table.pages[i], view);
        std::size_t stop = i;
        bool differs = false;
        while (stop < end && protection_for(table.pages[stop], view) == wanted)
            differs |= std::exchange(table.pages[stop++].protection, wanted) != wanted;
        if (differs &&
            mprotect(table.begin + i * managed_page_bytes, (stop - i) * managed_page_bytes, wanted) != 0)
            mprotect(table.begin, table.pages.size() * managed_page_bytes, PROT_READ | PROT_WRITE);
        i = stop;
    }
}

void protect_all() {
    for (auto& [begin, table] : tables) protect(table, 0, table.pages.size());
}

Table* table_at(const void* address) {
    auto next = tables.upper_bound(static_cast<const char*>(address));
    if (next == tables.begin()) return nullptr;
    Table& table = (--next)->second;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - table.begin);
    return offset < table.pages.size() * managed_page_bytes ? &table : nullptr;
}

/// The pages that contain a range of bytes.
struct Pages {
    Pages(const void* begin, std::size_t bytes) : table(table_at(begin)) {
        if (!table || bytes == 0) return;
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(begin) - table->begin);
        first = offset / managed_page_bytes;
        stop = std::min((offset + bytes + managed_page_bytes - 1) / managed_page_bytes, table->pages.size());
    }
    Page* begin() const { return table ? table->pages.data() + first : nullptr; }
    Page* end() const { return table ? table->pages.data() + stop : nullptr; }
    void protect() const {
        if (table) cpu::protect(*table, first, stop);
    }

    Table* table;
    std::size_t first = 0, stop = 0;
};

}  // namespace

void count_pages(std::uint64_t PageCounts::*what) {
    ++(total.*what);
    if (kernel_now < kernels.size()) ++(kernels[kernel_now].counts.*what);
}

void protect_page(Table& table, Page& page) {
    const auto i = static_cast<std::size_t>(&page - table.pages.data());
    protect(table, i, i + 1);
}

void follow_pages(bool follow) {
    following = follow || follows();
}

bool concurrent_managed_access() {
    static const char* const said = std::getenv("KIT_CONCURRENT_ACCESS");
    return said ? std::strcmp(said, "0") != 0 : concurrent;
}

void set_concurrent_managed_access(bool is_possible) {
    concurrent = is_possible;
}

void follow(const Allocation& allocation) {
    if (!following && concurrent_managed_access()) return;
    const std::lock_guard guard(pages_lock);
    Table& table = tables[allocation.begin];
    table.begin = allocation.begin;
    table.pages.resize((allocation.bytes + managed_page_bytes - 1) / managed_page_bytes);
    any = true;
    protect(table, 0, table.pages.size());
}

void unfollow(const Allocation& allocation) {
    if (!any) return;
    const std::lock_guard guard(pages_lock);
    const auto found = tables.find(allocation.begin);
    if (found == tables.end()) return;
    for (Page& page : found->second.pages) forget_page(found->second, page);
    tables.erase(found);
    any = !tables.empty();
}

bool managed_fault(const void* address, bool write, bool by_kernel, const void* instruction) {
    if (!any) return false;
    const std::lock_guard guard(pages_lock);
    Table* const table = table_at(address);
    if (!table) return false;
    const int processor = by_kernel || views_of_thread ? (view == the_host ? 0 : view) : the_host;
    if (processor == the_host && is_given) return false;
    Page& page = table->pages[static_cast<std::size_t>(static_cast<const char*>(address) - table->begin) /
                              managed_page_bytes];
    const std::uint64_t moved = total.to_host;
    use_page(*table, page, processor, write, unordered_now);
    if (processor == the_host && total.to_host > moved && !first_host_instruction)
        first_host_instruction = instruction;
    if (processor == view) {
        protect_page(*table, page);
    } else {  // another host thread uses the page while a kernel runs
        page.protection = PROT_READ | PROT_WRITE;
        mprotect(table->address(page), managed_page_bytes, PROT_READ | PROT_WRITE);
    }
    return true;
}

const ManagedUser* managed_user(const void* address) {
    const std::lock_guard guard(pages_lock);
    return is_given && table_at(address) ? &user : nullptr;
}

void give_to_device(const std::string& kernel, Place launched) {
    if (!any || concurrent_managed_access() || is_given) return;
    const std::lock_guard guard(pages_lock);
    user = {kernel, launched};
    is_given = true;
    protect_all();
}

void give_to_host() {
    if (!is_given) return;
    const std::lock_guard guard(pages_lock);
    is_given = false;
    protect_all();
}

namespace {

/// Moves all pages to a device without concurrent access, which cannot fetch them on demand.
void move_everything(int device) {
    for (auto& [begin, table] : tables)
        for (Page& page : table.pages) give_page(table, page, device);
}

/// Ends the mappings of memory that is not the device's, so that each kernel counts them.
void close_remote(int device) {
    for (auto& [begin, table] : tables)
        for (Page& page : table.pages)
            if (!page.is_on(device)) page.open = static_cast<std::uint16_t>(page.open & ~bit_of(device));
}

}  // namespace

ManagedView::ManagedView(const std::string& kernel, int device, std::set<std::uint64_t> unordered)
    : is_on_(any), outer_kernel_(kernel_now) {
    if (!is_on_) return;
    const std::lock_guard guard(pages_lock);
    ++views;
    ++views_of_thread;
    view = device;
    unordered_now = std::move(unordered);
    if (!kernel.empty()) {
        kernel_now = kernels.size();
        if (kernels.size() < most_kernels) kernels.push_back({kernel, {}});
        if (!concurrent_managed_access()) move_everything(device);
    }
    protect_all();
}

ManagedView::~ManagedView() {
    if (!is_on_) return;
    const std::lock_guard guard(pages_lock);
    close_remote(view);
    --views_of_thread;
    if (!--views) view = the_host;
    kernel_now = outer_kernel_;
    protect_all();
}

ManagedWindow::ManagedWindow(const void* begin, std::size_t bytes, bool write, int processor)
    : begin_(begin), bytes_(bytes) {
    if (!any) return;
    const std::lock_guard guard(pages_lock);
    const Pages pages(begin, bytes);
    for (Page& page : pages) {
        if (!page.copies) create_page(*pages.table, page, processor);
        if (write && page.is_duplicated())
            keep_only(*pages.table, page, page.is_on(processor) ? processor : page.location());
        page.protection = PROT_READ | PROT_WRITE;
    }
    if (pages.table)
        mprotect(pages.table->begin + pages.first * managed_page_bytes,
                 (pages.stop - pages.first) * managed_page_bytes, PROT_READ | PROT_WRITE);
}

ManagedWindow::~ManagedWindow() {
    if (!any) return;
    const std::lock_guard guard(pages_lock);
    Pages(begin_, bytes_).protect();
}

void prefetch_pages(const void* begin, std::size_t bytes, int processor, std::uint64_t number) {
    if (!any || !concurrent_managed_access()) return;
    const std::lock_guard guard(pages_lock);
    const Pages pages(begin, bytes);
    for (Page& page : pages) prefetch_page(*pages.table, page, processor, number);
    pages.protect();
}

void advice_changed(const void* begin, std::size_t bytes) {
    if (!any) return;
    const std::lock_guard guard(pages_lock);
    const Pages pages(begin, bytes);
    for (Page& page : pages) {
        const PageAdvice advice = advice_at(pages.table->address(page));
        if (!page.is_duplicated() || advice.read_mostly) continue;
        const bool preferred = advice.preferred != no_processor && page.is_on(advice.preferred);
        keep_only(*pages.table, page, preferred ? advice.preferred : page.location());
    }
    pages.protect();
}

void evict_if_full(int device) {
    if (!any) return;
    const std::lock_guard guard(pages_lock);
    evict_pages(device);
}

std::size_t managed_bytes_on(int device) {
    const std::lock_guard guard(pages_lock);
    return number_of_pages_on(device) * managed_page_bytes;
}

PageCounts page_counts() {
    const std::lock_guard guard(pages_lock);
    return total;
}

void reset_page_counts() {
    const std::lock_guard guard(pages_lock);
    total = {};
    kernels.clear();
    kernel_now = most_kernels;
    first_host_instruction = nullptr;
}

std::vector<KernelPages> pages_of_kernels() {
    const std::lock_guard guard(pages_lock);
    return kernels;
}

HostFault first_host_fault() {
    const Place place = first_host_instruction ? source_line(first_host_instruction) : Place{};
    return {place.line, place.line ? place.file : ""};
}

std::size_t pages_on_device(const void* begin, std::size_t bytes, int device) {
    const std::lock_guard guard(pages_lock);
    const Pages pages(begin, bytes);
    return static_cast<std::size_t>(
        std::count_if(pages.begin(), pages.end(), [&](const Page& page) { return page.is_on(device); }));
}

std::size_t pages_on_host(const void* begin, std::size_t bytes) {
    return pages_on_device(begin, bytes, the_host);
}

}  // namespace kit::cpu
