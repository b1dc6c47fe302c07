#include "core/io/json.h"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr int kDeepest = 32;

// Sees every key while the parser works, because the parser itself keeps the last of two equal
// keys.
class KeyWatch {
 public:
  bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (depth > kDeepest) throw std::invalid_argument("JSON is nested more than 32 levels deep");
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const std::string& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        throw std::invalid_argument("JSON has the key " + in_quotes(key) + " twice in one object");
      }
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  // The parser takes a NUL for the end of its input.
  if (text.find('\0') != std::string_view::npos) {
    throw std::invalid_argument("JSON contains a NUL byte");
  }
  KeyWatch watch;
  try {
    return nlohmann::json::parse(text.begin(), text.end(), std::ref(watch));
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(std::string("not valid JSON: ") + error.what());
  }
}

}  // namespace dispersion
