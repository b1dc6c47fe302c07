#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace dispersion {

// Parses JSON from outside: plain JSON, no key twice in one object, at most 32 levels deep. Throws
// std::invalid_argument that says where it is wrong.
nlohmann::json parse_json(std::string_view text);

}  // namespace dispersion
