#include "core/files/inflater.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <zlib.h>
#if WARPLINE_XZ
#include <lzma.h>
#endif
#if WARPLINE_ZSTD
#include <zstd.h>
#endif

namespace warpline {

namespace {

class GzipInflater final : public Inflater {
public:
    GzipInflater()
        : m_isReady(inflateInit2(&m_stream, gzipWindow) == Z_OK)
    {
    }
    ~GzipInflater() override
    {
        if (m_isReady)
            inflateEnd(&m_stream);
    }

    Step step(std::span<const char> packed, std::span<char> text) override
    {
        if (!m_isReady)
            return {0, 0, State::Damaged};
        constexpr std::size_t most = std::size_t{1} << 30U; // zlib counts in 32 bits
        // zlib does not write to its input.
        m_stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
        m_stream.avail_in = static_cast<uInt>(std::min(packed.size(), most));
        m_stream.next_out = reinterpret_cast<Bytef*>(text.data());
        m_stream.avail_out = static_cast<uInt>(std::min(text.size(), most));
        const int result = inflate(&m_stream, Z_NO_FLUSH);
        const Step done{
            static_cast<std::size_t>(reinterpret_cast<const char*>(m_stream.next_in) - packed.data()),
            static_cast<std::size_t>(reinterpret_cast<char*>(m_stream.next_out) - text.data()), State::Goes};
        if (result == Z_STREAM_END)
            return {done.taken, done.written, State::Ended};
        const bool isGood = result == Z_OK || result == Z_BUF_ERROR;
        return {done.taken, done.written, isGood ? State::Goes : State::Damaged};
    }
    bool restart() override { return inflateReset(&m_stream) == Z_OK; }

private:
    static constexpr int gzipWindow = 15 + 16; // zlib's way to ask for a gzip head

    z_stream m_stream{};
    bool m_isReady;
};

#if WARPLINE_XZ
class XzInflater final : public Inflater {
public:
    XzInflater() { restart(); }
    ~XzInflater() override { lzma_end(&m_stream); }

    Step step(std::span<const char> packed, std::span<char> text) override
    {
        if (!m_isReady)
            return {0, 0, State::Damaged};
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
        m_stream.avail_in = packed.size();
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(text.data());
        m_stream.avail_out = text.size();
        const lzma_ret result = lzma_code(&m_stream, LZMA_RUN);
        const std::size_t taken = packed.size() - m_stream.avail_in;
        const std::size_t written = text.size() - m_stream.avail_out;
        if (result == LZMA_STREAM_END)
            return {taken, written, State::Ended};
        const bool isGood = result == LZMA_OK || result == LZMA_BUF_ERROR;
        return {taken, written, isGood ? State::Goes : State::Damaged};
    }
    bool restart() override
    {
        constexpr std::uint64_t maxMemory = std::uint64_t{1} << 30U; // xz -9 takes 65 MiB
        m_isReady = lzma_stream_decoder(&m_stream, maxMemory, 0) == LZMA_OK;
        return m_isReady;
    }

private:
    lzma_stream m_stream = LZMA_STREAM_INIT;
    bool m_isReady = false;
};
#endif

#if WARPLINE_ZSTD
class ZstdInflater final : public Inflater {
public:
    ZstdInflater()
        : m_stream(ZSTD_createDStream())
    {
        if (m_stream) // the window of zstd --long, 128 MiB by default
            ZSTD_DCtx_setParameter(m_stream, ZSTD_d_windowLogMax, 27);
    }
    ~ZstdInflater() override { ZSTD_freeDStream(m_stream); }

    Step step(std::span<const char> packed, std::span<char> text) override
    {
        if (!m_stream)
            return {0, 0, State::Damaged};
        ZSTD_inBuffer input{packed.data(), packed.size(), 0};
        ZSTD_outBuffer output{text.data(), text.size(), 0};
        const std::size_t result = ZSTD_decompressStream(m_stream, &output, &input);
        if (ZSTD_isError(result) != 0)
            return {input.pos, output.pos, State::Damaged};
        return {input.pos, output.pos, result == 0 ? State::Ended : State::Goes};
    }
    bool restart() override
    {
        return m_stream && ZSTD_isError(ZSTD_DCtx_reset(m_stream, ZSTD_reset_session_only)) == 0;
    }

private:
    ZSTD_DStream* m_stream;
};
#endif

template <typename Kind> std::unique_ptr<Inflater> make()
{
    return std::make_unique<Kind>();
}

using MakeInflater = std::unique_ptr<Inflater> (*)();
#if WARPLINE_XZ
constexpr MakeInflater makeXz = make<XzInflater>;
#else
constexpr MakeInflater makeXz = nullptr;
#endif
#if WARPLINE_ZSTD
constexpr MakeInflater makeZstd = make<ZstdInflater>;
#else
constexpr MakeInflater makeZstd = nullptr;
#endif

struct Packing {
    std::string_view name;
    std::string_view unpacker;
    std::string_view magic; ///< first bytes of a file
    MakeInflater inflater; ///< nullptr: not with this program
};

constexpr std::array<Packing, 5> packings{{
    {"gzip", "gunzip", "\x1f\x8b", make<GzipInflater>},
    {"xz", "unxz",
        std::string_view("\xfd"
                         "7zXZ\0",
            6),
        makeXz},
    {"zstd", "unzstd", "\x28\xb5\x2f\xfd", makeZstd},
    {"bzip2", "bunzip2", "BZh", nullptr},
    {"lz4", "unlz4", "\x04\x22\x4d\x18", nullptr},
}};

const Packing* packingAt(std::string_view head)
{
    const auto* const found = std::ranges::find_if(
        packings, [&](const Packing& packing) { return head.starts_with(packing.magic); });
    return found == packings.end() ? nullptr : found;
}

} // namespace

std::string_view packingOf(std::string_view head)
{
    const Packing* const packing = packingAt(head);
    return packing ? packing->name : std::string_view();
}

std::string_view unpackerOf(std::string_view head)
{
    const Packing* const packing = packingAt(head);
    return packing ? packing->unpacker : std::string_view();
}

std::string readablePackings()
{
    std::string names;
    for (const Packing& packing : packings) {
        if (packing.inflater)
            names += (names.empty() ? "" : ", ") + std::string(packing.name);
    }
    return names;
}

std::unique_ptr<Inflater> inflaterFor(std::string_view head)
{
    const Packing* const packing = packingAt(head);
    return packing && packing->inflater ? packing->inflater() : nullptr;
}

} // namespace warpline
