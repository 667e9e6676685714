#pragma once

#include "core/base/message.h"

#include <utility>
#include <variant>

namespace warpline {

/// Why something failed, in sentences: what happened, to which file, what to do. Messages of the system or of
/// a library are values of the message.
struct Error {
    Error() = default;
    Error(Message text) // NOLINT(google-explicit-constructor): as Result's
        : message(std::move(text))
    {
    }
    Error(Literal key, Literal english, std::initializer_list<Argument> values = {})
        : message(key, english, values)
    {
    }
    Error(std::string verbatim) = delete; // no language would have it

    Message message;
};

/// A value or an Error. The way every module of core reports failure across its interface;
/// core throws nothing there.
template <typename T> class [[nodiscard]] Result {
public:
    Result(T value) // NOLINT(google-explicit-constructor): `return value;` is the point
        : m_content(std::move(value))
    {
    }
    Result(Error error) // NOLINT(google-explicit-constructor): `return Error{...};` is the point
        : m_content(std::move(error))
    {
    }

    bool ok() const { return m_content.index() == 0; }
    T& value() { return std::get<0>(m_content); }
    const T& value() const { return std::get<0>(m_content); }
    /// Moves the value out; call once, and only when ok().
    T take() { return std::move(std::get<0>(m_content)); }
    const Error& error() const { return std::get<1>(m_content); }

private:
    std::variant<T, Error> m_content;
};

/// Success without a value, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) // NOLINT(google-explicit-constructor)
        : m_error(std::move(error)),
          m_failed(true)
    {
    }

    bool ok() const { return !m_failed; }
    const Error& error() const { return m_error; }

private:
    Error m_error;
    bool m_failed = false;
};

} // namespace warpline
