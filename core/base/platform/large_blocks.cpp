// Columns of millions of events are blocks of many megabytes, which are filled once from front to back. In
// pages of 4 kB each costs the kernel a fault, together a fifth of the time that opening and judging a long
// report takes. Linux hands out pages of 2 MB where it is asked to: here, for large blocks only.
//
// Replaces the library's operator new; what it returns is released by free(), as the library's operator
// delete does. Programs that check their memory keep the checker's.

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t largePage = std::size_t{2} << 20U;
constexpr std::size_t largeBlock = 4 * largePage;

void* blockOf(std::size_t bytes) noexcept
{
    if (bytes < largeBlock || bytes > ~std::size_t{0} - largePage)
        return std::malloc(bytes > 0 ? bytes : 1);
    const std::size_t whole = (bytes + largePage - 1) / largePage * largePage;
    void* const block = std::aligned_alloc(largePage, whole);
    if (block != nullptr)
        ::madvise(block, whole, MADV_HUGEPAGE); // a wish: without it the block is as good
    return block;
}

} // namespace

void* operator new(std::size_t bytes)
{
    while (true) {
        if (void* const block = blockOf(bytes))
            return block;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr)
            throw std::bad_alloc();
        handler();
    }
}

#endif
