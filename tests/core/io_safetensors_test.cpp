#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <numeric>
#include <stdexcept>

#include "core/io/file.h"
#include "core/io/safetensors.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

// The bytes of a file with this header, whatever it says.
std::string file_bytes(const std::string& header, std::size_t data_bytes) {
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), 8);
  return bytes + header + std::string(data_bytes, '\0');
}

std::string read_error(const std::string& bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "file.safetensors", bytes);
  const std::string error =
      error_text<FileError>([&] { TensorFile::read(folder / "file.safetensors"); });
  EXPECT_TRUE(error.empty() || contains(error, "file.safetensors: ")) << error;
  EXPECT_FALSE(contains(error, "\n")) << error;
  return error;
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

std::string small_file() {
  const std::vector<float> a = {1.5f, -2.f, 3.f, 4.f, 5.f, 6.f};
  const std::vector<float> b = {7.f};
  const std::vector<FloatTensor> tensors = {{"a", {2, 3}, a}, {"b.bias", {1}, b}};
  return safetensors_bytes(tensors, {{"format", "x"}, {"note", "\"quoted\"\n"}});
}

TEST(Safetensors, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  write_bytes(folder / "t", small_file());
  const TensorFile file = TensorFile::read(folder / "t");
  EXPECT_EQ(file.tensors().size(), 2u);
  EXPECT_EQ(file.metadata().at("note"), "\"quoted\"\n");
  EXPECT_EQ(file.floats("a"), (std::vector<float>{1.5f, -2.f, 3.f, 4.f, 5.f, 6.f}));
  EXPECT_EQ(file.tensor("a").shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(file.tensor("a").size(), 6);
  EXPECT_EQ(file.floats("b.bias"), std::vector<float>{7.f});
}

TEST(Safetensors, StartsItsDataAtAMultipleOfEightBytes) {
  const std::string bytes = small_file();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(bytes.size(), 8 + length + 7 * sizeof(float));
}

TEST(Safetensors, ViewsOutliveTheObjectTheyWereReadInto) {
  const TemporaryFolder folder;
  write_bytes(folder / "t", small_file());
  TensorFile copy;
  {
    const TensorFile file = TensorFile::read(folder / "t");
    copy = file;
  }
  const TensorFile moved = std::move(copy);
  EXPECT_EQ(moved.floats("b.bias"), std::vector<float>{7.f});
}

TEST(Safetensors, ReadsIntegersOfBothKindsAndUnalignedData) {
  const TemporaryFolder folder;
  std::string bytes = file_bytes(
      "{" + entry("u", "U8", "[3]", "[0,3]") + "," + entry("i", "I32", "[1,2]", "[3,11]") + "," +
          entry("f", "F32", "[]", "[11,15]") + "," + entry("none", "F32", "[0,4]", "[15,15]") + "}",
      0);
  const std::int32_t numbers[2] = {-5, 70000};
  const float value = 0.25f;
  bytes += std::string("\x01\xff\x02");
  bytes.append(reinterpret_cast<const char*>(numbers), 8);
  bytes.append(reinterpret_cast<const char*>(&value), 4);
  write_bytes(folder / "t", bytes);
  const TensorFile file = TensorFile::read(folder / "t");
  EXPECT_EQ(file.integers("u"), (std::vector<std::int32_t>{1, 255, 2}));
  EXPECT_EQ(file.integers("i"), (std::vector<std::int32_t>{-5, 70000}));
  EXPECT_EQ(file.floats("f"), std::vector<float>{0.25f});
  EXPECT_TRUE(file.floats("none").empty());
}

TEST(Safetensors, NamesTheTensorThatIsNotAsExpected) {
  const TemporaryFolder folder;
  write_bytes(folder / "t", small_file());
  const TensorFile file = TensorFile::read(folder / "t");
  const std::vector<std::int64_t> transposed = {3, 2};
  const std::vector<std::int64_t> open = {-1, 3};
  EXPECT_EQ(file.floats("a", open).size(), 6u);
  const std::string shape = error_text<FileError>([&] { file.floats("a", transposed); });
  EXPECT_TRUE(contains(shape, "tensor 'a' has shape [2, 3]; expected [3, 2]")) << shape;
  const std::string missing = error_text<FileError>([&] { file.floats("c"); });
  EXPECT_TRUE(contains(missing, "tensor 'c' is missing")) << missing;
  const std::string dtype = error_text<FileError>([&] { file.integers("a"); });
  EXPECT_TRUE(contains(dtype, "is F32; expected I32 or U8")) << dtype;
}

TEST(Safetensors, WriterRefusesWhatItCouldNotReadBack) {
  const std::vector<float> values = {1, 2};
  const std::vector<FloatTensor> wrong_shape = {{"a", {3}, values}};
  EXPECT_THROW(safetensors_bytes(wrong_shape, {}), std::invalid_argument);
  const std::vector<FloatTensor> twice = {{"a", {2}, values}, {"a", {2}, values}};
  EXPECT_THROW(safetensors_bytes(twice, {}), std::invalid_argument);
}

struct HostileFile {
  const char* what;
  std::string bytes;
  const char* message;  // part of it
};

std::vector<HostileFile> hostile_files() {
  const std::string good = entry("a", "F32", "[2]", "[0,8]");
  const std::string huge_header = std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + "{}";
  std::string past_end = file_bytes("{}", 0);
  past_end[0] = 3;
  return {
      {"empty", "", "at least 8"},
      {"seven bytes", "1234567", "at least 8"},
      {"huge header length", huge_header, "header"},
      {"header past the end", past_end, "cut short"},
      {"no JSON", file_bytes("hello", 0), "begin with '{'"},
      {"list", file_bytes("[]", 0), "begin with '{'"},
      {"byte order mark", file_bytes("\xef\xbb\xbf{}", 0), "begin with '{'"},
      {"cut JSON", file_bytes("{\"a\":", 0), "not valid JSON"},
      {"second value", file_bytes("{}{}", 0), "not valid JSON"},
      {"NUL after the end", file_bytes(std::string("{}\0x", 4), 0), "NUL"},
      {"not UTF-8", file_bytes("{\"\xff\xfe\":{}}", 0), "not valid JSON"},
      {"deep nesting", file_bytes("{\"a\":" + std::string(200'000, '['), 0), "4 levels deep"},
      {"deep objects", file_bytes("{\"a\":{\"shape\":{\"b\":{}}}}", 0), "dtype"},
      {"number as entry", file_bytes("{\"a\":1}", 0), "should be an object"},
      {"metadata number", file_bytes("{\"__metadata__\":{\"a\":1}}", 0), "should be a text"},
      {"metadata list", file_bytes("{\"__metadata__\":[]}", 0), "should be an object"},
      {"metadata twice", file_bytes("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0), "twice"},
      {"unknown dtype", file_bytes("{" + entry("a", "F4", "[4]", "[0,8]") + "}", 8),
       "dtype 'F4' is none of F32, F16, BF16, I32"},
      {"half as many bytes", file_bytes("{" + entry("a", "BF16", "[4]", "[0,4]") + "}", 4),
       "more than the 4 bytes"},
      {"dtype number", file_bytes("{\"a\":{\"dtype\":1}}", 8), "should be a text"},
      {"no dtype", file_bytes("{\"a\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8), "dtype"},
      {"no shape", file_bytes("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8), "shape"},
      {"no offsets", file_bytes("{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8), "data_offsets"},
      {"one offset", file_bytes("{" + entry("a", "F32", "[2]", "[0]") + "}", 8), "data_offsets"},
      {"three offsets", file_bytes("{" + entry("a", "F32", "[2]", "[0,8,8]") + "}", 8), "two"},
      {"unknown field", file_bytes("{\"a\":{\"colour\":1}}", 0), "unknown field"},
      {"tensor twice", file_bytes("{" + good + "," + good + "}", 8), "twice"},
      {"field twice",
       file_bytes("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"U8\",\"shape\":[],"
                  "\"data_offsets\":[0,1]}}",
                  1),
       "twice"},
      {"negative axis", file_bytes("{" + entry("a", "F32", "[-2]", "[0,8]") + "}", 8),
       "a whole number from 0"},
      {"fraction", file_bytes("{" + entry("a", "F32", "[2.0]", "[0,8]") + "}", 8),
       "a whole number"},
      {"axis as text", file_bytes("{" + entry("a", "F32", "[\"2\"]", "[0,8]") + "}", 8),
       "a whole number"},
      {"beyond 64 bits",
       file_bytes("{" + entry("a", "F32", "[36893488147419103232]", "[0,8]") + "}", 8),
       "a whole number"},
      {"product overflows",
       file_bytes("{" + entry("a", "F32", "[4294967296,4294967296,4294967296]", "[0,0]") + "}", 0),
       "more than the 0 bytes"},
      {"product wraps to the right size",
       file_bytes("{" + entry("a", "F32", "[4611686018427387906]", "[0,8]") + "}", 8), "more than"},
      {"huge shape", file_bytes("{" + entry("a", "F32", "[1000000000]", "[0,8]") + "}", 8),
       "more than"},
      {"nine axes", file_bytes("{" + entry("a", "U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]") + "}", 1),
       "no more than 8 axes"},
      {"wrong size", file_bytes("{" + entry("a", "F32", "[3]", "[0,8]") + "}", 8), "more than"},
      {"too few", file_bytes("{" + entry("a", "F32", "[1]", "[0,8]") + "}", 8), "expected 4"},
      {"backwards", file_bytes("{" + entry("a", "F32", "[2]", "[8,0]") + "}", 8),
       "before they begin"},
      {"past the end", file_bytes("{" + entry("a", "F32", "[2]", "[4,12]") + "}", 8), "reach past"},
      {"offset overflow",
       file_bytes(
           "{" + entry("a", "F32", "[2]", "[18446744073709551608,18446744073709551615]") + "}", 8),
       "a whole number"},
      {"hole", file_bytes("{" + entry("a", "F32", "[1]", "[4,8]") + "}", 8), "hole"},
      {"overlap", file_bytes("{" + good + "," + entry("b", "F32", "[2]", "[4,12]") + "}", 12),
       "overlap"},
      {"same place", file_bytes("{" + good + "," + entry("b", "F32", "[2]", "[0,8]") + "}", 8),
       "overlap"},
      {"trailing bytes", file_bytes("{" + good + "}", 9), "9 bytes of data"},
      {"missing data", file_bytes("{" + good + "}", 7), "reach past"},
      {"line break in a name",
       file_bytes("{\"a\\nb\":{\"dtype\":\"F99\",\"shape\":[],\"data_offsets\":[0,8]}}", 8),
       "a\\x0ab"},
  };
}

TEST(Safetensors, RefusesHostileFilesWithAReason) {
  for (const HostileFile& file : hostile_files()) {
    const std::string error = read_error(file.bytes);
    EXPECT_TRUE(contains(error, file.message)) << file.what << ": '" << error << "'";
  }
}

TEST(Safetensors, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(TensorFile::read(folder.path()), FileError);
  EXPECT_THROW(TensorFile::read(folder / "missing"), FileError);
  ::mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_THROW(TensorFile::read(folder / "pipe"), FileError);
}

// Reads damaged bytes and uses everything in them: an error or a valid result, never more.
void read_all(const std::string& bytes) {
  try {
    const TensorFile file = TensorFile::from_bytes("damaged", bytes);
    std::size_t data = 0;
    for (const auto& [name, tensor] : file.tensors()) {
      data += tensor.bytes.size();
      const std::size_t count =
          tensor.dtype == DType::kF32 ? file.floats(name).size() : file.integers(name).size();
      EXPECT_EQ(static_cast<std::int64_t>(count), tensor.size());
    }
    EXPECT_LE(data, bytes.size());
  } catch (const FileError& error) {
    EXPECT_FALSE(contains(error.what(), "\n"));
  }
}

TEST(Safetensors, SurvivesDamageAnywhere) {
  const std::string good = small_file();
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int change = 1; change < 256; ++change) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      read_all(bytes);
    }
    EXPECT_THROW(TensorFile::from_bytes("cut", good.substr(0, i)), FileError) << i << " bytes";
    read_all(good.substr(0, i) + good.substr(i + 1));
    read_all(good.substr(0, i) + '9' + good.substr(i));
  }
}

// Bytes that this process has read so far; -1 where the system does not say it.
std::int64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::int64_t value = -1;
  file >> name >> value;
  return name == "rchar:" ? value : -1;
}

// A file whose header is wrong is refused before its data is read, however large it is.
TEST(Safetensors, TheHeaderDecidesBeforeTheDataIsRead) {
  if (bytes_read() < 0) GTEST_SKIP() << "the system does not count what is read";
  const TemporaryFolder folder;
  const std::string foreign(16, 'x');
  for (const std::string& start :
       {std::string(), foreign, file_bytes("no JSON", 0), file_bytes("{}", 0),
        file_bytes("{" + entry("a", "F32", "[2]", "[0,8]") + "}", 8)}) {
    write_bytes(folder / "large", start);
    std::filesystem::resize_file(folder / "large", std::uintmax_t{4} << 30);
    const std::int64_t before = bytes_read();
    const std::string error = error_text<FileError>([&] { TensorFile::read(folder / "large"); });
    EXPECT_LT(bytes_read() - before, 100'000) << start;
    EXPECT_TRUE(contains(error, "large: ")) << error;
  }
  std::filesystem::resize_file(folder / "large", (std::uintmax_t{4} << 30) + 1);
  const std::string error = error_text<FileError>([&] { TensorFile::read(folder / "large"); });
  EXPECT_TRUE(contains(error, "at most 4294967296")) << error;
}

}  // namespace
}  // namespace dispersion
