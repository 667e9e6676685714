// Only for the thread sanitizer, which does not see into Qt: writes of a thread before
// QMetaObject::invokeMethod() happen before the invoked function.

#include <QObject>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

namespace {

/// Replaces a slot object: marks the hand-over for the sanitizer, and calls it.
class SeenSlot : public QtPrivate::QSlotObjectBase {
public:
    __attribute__((no_sanitize("thread"))) explicit SeenSlot(QSlotObjectBase* slot)
        : QSlotObjectBase(&run),
          m_slot(slot)
    {
        __tsan_release(this);
    }

private:
    __attribute__((no_sanitize("thread"))) static void run(
        int which, QSlotObjectBase* self, QObject* receiver, void** arguments, bool* isEqual)
    {
        __tsan_acquire(self);
        auto* const seen = static_cast<SeenSlot*>(self);
        if (which == Call) {
            seen->m_slot->call(receiver, arguments);
            __tsan_release(self); // the thread that handed it over may be the last to let go of it
        } else if (which == Compare) {
            *isEqual = seen->m_slot->compare(arguments);
        } else {
            seen->m_slot->destroyIfLastRef();
            delete seen;
        }
    }

    QSlotObjectBase* m_slot;
};

} // namespace

/// In place of Qt's own, which it calls.
bool QMetaObject::invokeMethodImpl(
    QObject* object, QtPrivate::QSlotObjectBase* slot, Qt::ConnectionType type, void* result)
{
    using Invoke = bool (*)(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
    static const auto invoke = reinterpret_cast<Invoke>(::dlsym(RTLD_NEXT,
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv"));
    return invoke(object, new SeenSlot(slot), type, result);
}
