#include "core/cache/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpline {

MappedFile::MappedFile(const std::string& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat facts { };
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        const auto bytes = static_cast<std::size_t>(facts.st_size);
        void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            madvise(memory, bytes, MADV_WILLNEED);
            m_bytes = {static_cast<const std::byte*>(memory), bytes};
        }
    }
    close(file); // the mapping stays
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

} // namespace warpline
