#include "views/loading/job_failures.h"

namespace warpline {

JobFailures& JobFailures::shared()
{
    static JobFailures failures;
    return failures;
}

} // namespace warpline
