#include <doctest/doctest.h>

#include <set>
#include <string>

#include "regiht/status.hpp"

using namespace regiht;

TEST_CASE("the table of statuses is in the order of the enumeration") {
  std::set<std::string> names;
  for (std::size_t k = 0; k < status_texts.size(); ++k) {
    CHECK(static_cast<std::size_t>(status_texts[k].status) == k);
    CHECK(&describe(status_texts[k].status) == &status_texts[k]);
    CHECK(status_texts[k].message.back() == '.');
    names.insert(std::string(status_texts[k].name));
  }
  CHECK(names.size() == status_texts.size());
  CHECK(static_cast<std::size_t>(Status::stopped) + 1 == status_texts.size());
}

TEST_CASE("only runs that ended as they should are successes") {
  for (const Status status : {Status::completed, Status::stationary, Status::converged})
    CHECK(describe(status).success);
  for (const Status status :
       {Status::cycling, Status::diverged, Status::time_limit, Status::stopped})
    CHECK_FALSE(describe(status).success);
}
