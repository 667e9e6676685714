#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace warpline {

/// A list whose copies share their items until one of them changes its own: of long lists that several keep.
template <typename T> class SharedList {
public:
    using value_type = T;
    using const_iterator = typename std::vector<T>::const_iterator;

    SharedList() = default;
    SharedList(std::initializer_list<T> items) // NOLINT(google-explicit-constructor)
        : SharedList(std::vector<T>(items))
    {
    }
    SharedList(std::vector<T> items) // NOLINT(google-explicit-constructor)
        : m_items(std::make_shared<std::vector<T>>(std::move(items)))
    {
    }
    operator const std::vector<T>&() const { return items(); } // NOLINT(google-explicit-constructor)

    bool empty() const { return items().empty(); }
    std::size_t size() const { return items().size(); }
    const_iterator begin() const { return items().begin(); }
    const_iterator end() const { return items().end(); }
    const T& operator[](std::size_t i) const { return items()[i]; }
    const T& front() const { return items().front(); }
    const T& back() const { return items().back(); }

    void push_back(T item) { own().push_back(std::move(item)); }
    void reserve(std::size_t most) { own().reserve(most); }
    void clear() { m_items.reset(); }

    friend bool operator==(const SharedList& a, const SharedList& b) { return a.items() == b.items(); }

private:
    const std::vector<T>& items() const { return m_items ? *m_items : none; }
    std::vector<T>& own()
    {
        if (!m_items || m_items.use_count() > 1)
            m_items = std::make_shared<std::vector<T>>(items());
        return *m_items;
    }

    static inline const std::vector<T> none;
    std::shared_ptr<std::vector<T>> m_items; ///< nullptr: none
};

} // namespace warpline
