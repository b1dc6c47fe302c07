#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dispersion {

// A file inside a PDF, which viewers show among its attachments and which pages know nothing of.
// cairo 1.16 writes none, so it is added behind its end, as an incremental update (PDF 1.4, 3.4.5
// and 3.10.3).

// The PDF with the file `figure.json` of these contents attached. Only for a PDF that cairo wrote:
// with a plain table of its objects. Throws std::runtime_error for another one.
std::string with_attachment(std::string pdf, std::string_view contents);

// The contents of the file that with_attachment() attached last. Nothing if there is none, or if it
// is cut or changed.
std::optional<std::string> pdf_attachment(std::string_view pdf);

}  // namespace dispersion
