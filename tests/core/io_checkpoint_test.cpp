#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>

#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "core/io/safetensors.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

constexpr HeadShape kSmall = {4, 10};

Checkpoint small_checkpoint() {
  Checkpoint checkpoint;
  checkpoint.state = start_training(kSmall, 7);
  checkpoint.state.step = 1234;
  for (std::size_t i = 0; i < checkpoint.state.parameters.values.size(); ++i) {
    checkpoint.state.first_moment.values[i] = 1e-3f * static_cast<float>(i) - 0.1f;
    checkpoint.state.second_moment.values[i] = 1e-9f * static_cast<float>(i);
  }
  checkpoint.recipe.l2 = L2Form::kDecoupled;
  checkpoint.recipe.l2_lambda = 0.1;  // not exact in binary: the text has to keep every bit
  checkpoint.recipe.learning_rate = 1.0 / 3;
  checkpoint.recipe.largest_set = 17;
  checkpoint.metadata = {{"program", "dispersion_lab"}, {"commit", "abc"}};
  return checkpoint;
}

// A file's parts, so that a test can spoil one.
struct Parts {
  std::vector<std::string> names;
  std::vector<std::vector<std::int64_t>> shapes;
  std::vector<std::vector<float>> values;
  std::map<std::string, std::string> metadata;

  std::size_t find(const std::string& name) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return i;
    }
    throw std::out_of_range(name);
  }
  void remove(const std::string& name) {
    const auto i = static_cast<std::ptrdiff_t>(find(name));
    names.erase(names.begin() + i);
    shapes.erase(shapes.begin() + i);
    values.erase(values.begin() + i);
  }
  void remove_all(const std::string& prefix) {
    const std::vector<std::string> all = names;
    for (const std::string& name : all) {
      if (name.starts_with(prefix)) remove(name);
    }
  }
};

Parts small_parts() {
  const TemporaryFolder folder;
  save_checkpoint(folder / "c", small_checkpoint());
  const TensorFile file = TensorFile::read(folder / "c");
  Parts parts;
  parts.metadata = file.metadata();
  for (const auto& [name, view] : file.tensors()) {
    parts.names.push_back(name);
    parts.shapes.push_back(view.shape);
    parts.values.push_back(file.floats(name));
  }
  return parts;
}

void write_parts(const std::filesystem::path& path, const Parts& parts) {
  std::vector<FloatTensor> tensors;
  for (std::size_t i = 0; i < parts.names.size(); ++i) {
    tensors.push_back({parts.names[i], parts.shapes[i], parts.values[i]});
  }
  write_bytes(path, safetensors_bytes(tensors, parts.metadata));
}

// What loading says after `spoil`.
std::string load_error(const std::function<void(Parts&)>& spoil) {
  const TemporaryFolder folder;
  Parts parts = small_parts();
  spoil(parts);
  write_parts(folder / "c", parts);
  return error_text<FileError>([&] { load_checkpoint(folder / "c"); });
}

void expect_error(const std::string& part, const std::function<void(Parts&)>& spoil) {
  const std::string error = load_error(spoil);
  EXPECT_TRUE(contains(error, part)) << "expected '" << part << "' in '" << error << "'";
}

TEST(Checkpoint, ComesBackBitForBit) {
  const TemporaryFolder folder;
  const Checkpoint saved = small_checkpoint();
  save_checkpoint(folder / "c", saved);
  const Checkpoint loaded = load_checkpoint(folder / "c");
  EXPECT_EQ(loaded.recipe, saved.recipe);
  EXPECT_EQ(loaded.state.seed, 7u);
  EXPECT_EQ(loaded.state.step, 1234);
  EXPECT_EQ(loaded.state.parameters, saved.state.parameters);
  EXPECT_EQ(loaded.state.first_moment, saved.state.first_moment);
  EXPECT_EQ(loaded.state.second_moment, saved.state.second_moment);
  EXPECT_TRUE(loaded.has_moments);
  EXPECT_EQ(loaded.state.most_item_points, kMostTrainingItemPoints);
  EXPECT_EQ(loaded.metadata, saved.metadata);
  save_checkpoint(folder / "again", loaded);
  EXPECT_EQ(read_bytes(folder / "again"), read_bytes(folder / "c"));
}

TEST(Checkpoint, KeepsWeightsOnly) {
  const TemporaryFolder folder;
  Checkpoint saved = small_checkpoint();
  saved.has_moments = false;
  save_checkpoint(folder / "c", saved);
  EXPECT_EQ(TensorFile::read(folder / "c").tensors().size(), 20u);
  const Checkpoint loaded = load_checkpoint(folder / "c");
  EXPECT_FALSE(loaded.has_moments);
  EXPECT_EQ(loaded.state.parameters, saved.state.parameters);
  EXPECT_EQ(loaded.state.first_moment, Parameters<float>(kSmall));
  EXPECT_EQ(loaded.state.second_moment, Parameters<float>(kSmall));
}

TEST(Checkpoint, WritesTheMetadataThatTheHeaderPromises) {
  const std::map<std::string, std::string> metadata = small_parts().metadata;
  EXPECT_EQ(metadata.at("format"), "dispersion-lab-head");
  EXPECT_EQ(metadata.at("format_version"), "1");
  EXPECT_EQ(metadata.at("seed"), "7");
  EXPECT_EQ(metadata.at("step"), "1234");
  EXPECT_EQ(metadata.at("width"), "4");
  EXPECT_EQ(metadata.at("classes"), "10");
  EXPECT_EQ(metadata.at("run_hash"), run_hash(small_checkpoint().recipe, small_checkpoint().state));
  EXPECT_EQ(recipe_from_json(metadata.at("recipe")), small_checkpoint().recipe);
}

TEST(Checkpoint, KnowsWhenTheRunOfAHeadIsUnknown) {
  const TemporaryFolder folder;
  save_checkpoint(folder / "whole", small_checkpoint());
  EXPECT_TRUE(load_checkpoint(folder / "whole").has_run);
  Parts parts = small_parts();
  parts.metadata = {{"title", "mine"}};  // with the moments, whose step is lost
  write_parts(folder / "bare", parts);
  const Checkpoint bare = load_checkpoint(folder / "bare");
  EXPECT_FALSE(bare.has_run);
  EXPECT_FALSE(bare.has_moments);
  save_checkpoint(folder / "again", bare);
  EXPECT_EQ(TensorFile::read(folder / "again").metadata(), parts.metadata);
  EXPECT_FALSE(load_checkpoint(folder / "again").has_run);
}

TEST(Checkpoint, TakesABareHeadFromElsewhere) {
  const TemporaryFolder folder;
  Parts parts = small_parts();
  parts.remove_all("adam.");
  parts.metadata = {{"format", "pt"}};  // as PyTorch writes it
  write_parts(folder / "c", parts);
  const Checkpoint loaded = load_checkpoint(folder / "c");
  EXPECT_EQ(loaded.recipe, Recipe{});
  EXPECT_EQ(loaded.state.seed, 1u);
  EXPECT_EQ(loaded.state.step, 0);
  EXPECT_FALSE(loaded.has_moments);
  EXPECT_EQ(loaded.state.parameters, small_checkpoint().state.parameters);
}

TEST(Checkpoint, LoadsTheTrainedHeadOfTheGoldenData) {
  const Checkpoint loaded =
      load_checkpoint(std::filesystem::path(DISPERSION_GOLDEN_DIR) / "trained.safetensors");
  EXPECT_EQ(loaded.state.parameters.values.size(), 118'666u);
}

TEST(Checkpoint, RefusesTensorsThatAreNotAHead) {
  expect_error("tensor 'attention.key.bias' is missing",
               [](Parts& p) { p.remove("attention.key.bias"); });
  expect_error("tensor 'item_mlp.0.kernel' has shape [10, 4]; expected [11, 4]", [](Parts& p) {
    const std::size_t i = p.find("item_mlp.0.kernel");
    p.shapes[i] = {10, 4};
    p.values[i].resize(40);
  });
  expect_error("expected a width of 1 to 4096 and 10 classes", [](Parts& p) {
    const std::size_t i = p.find("readout_mlp.1.kernel");
    p.shapes[i] = {8, 5};
  });
  expect_error("tensor 'extra' does not belong", [](Parts& p) {
    p.names.push_back("extra");
    p.shapes.push_back({1});
    p.values.push_back({1.f});
  });
}

TEST(Checkpoint, RefusesNumbersThatCannotBe) {
  const auto set = [](const std::string& name, float value) {
    return [=](Parts& p) { p.values[p.find(name)][3] = value; };
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  expect_error("'query_mlp.1.kernel' has nan at index 3", set("query_mlp.1.kernel", kNan));
  expect_error("'query_mlp.1.kernel' has -inf", set("query_mlp.1.kernel", -kInfinity));
  expect_error("'adam.m.query_mlp.1.kernel' has inf", set("adam.m.query_mlp.1.kernel", kInfinity));
  expect_error("0 or more", set("adam.v.query_mlp.1.kernel", -1e-9f));
}

TEST(Checkpoint, RefusesHalfOfTheMoments) {
  expect_error("tensor 'adam.v.item_mlp.0.kernel' is missing",
               [](Parts& p) { p.remove_all("adam.v."); });
  expect_error("tensor 'adam.m.item_mlp.0.kernel' is missing",
               [](Parts& p) { p.remove_all("adam.m."); });
  expect_error("tensor 'adam.v.readout_mlp.1.bias' is missing",
               [](Parts& p) { p.remove("adam.v.readout_mlp.1.bias"); });
}

TEST(Checkpoint, RefusesMetadataThatDoesNotFit) {
  const auto set = [](const std::string& key, const std::string& value) {
    return [=](Parts& p) { p.metadata[key] = value; };
  };
  expect_error("format_version '2'; this program reads '1'", set("format_version", "2"));
  expect_error("metadata 'width' is 8, but the tensors have 4", set("width", "8"));
  expect_error("metadata 'classes' is 11", set("classes", "11"));
  expect_error("metadata 'step' is '-1'", set("step", "-1"));
  expect_error("metadata 'step' is '1e3'", set("step", "1e3"));
  expect_error("metadata 'seed' is '4294967296'", set("seed", "4294967296"));
  expect_error("metadata 'seed' is missing", [](Parts& p) { p.metadata.erase("seed"); });
  expect_error("metadata 'recipe': not valid JSON", set("recipe", "{"));
  expect_error("metadata 'recipe': 'l2' is missing", set("recipe", "{}"));
  const std::string good = recipe_to_json(Recipe());
  const auto with_l2 = [&](const std::string& l2) {
    return set("recipe", std::string(good).replace(good.find("half-kernels"), 12, l2));
  };
  const auto with_batch = [&](const std::string& sets, const std::string& items) {
    std::string recipe = good;
    recipe.replace(recipe.find("\"batch_sets\":128"), 16, "\"batch_sets\":" + sets);
    return set("recipe",
               recipe.replace(recipe.find("\"largest_set\":16"), 16, "\"largest_set\":" + items));
  };
  EXPECT_EQ(load_error(with_batch("65536", "16")), "");
  expect_error("batch_sets times largest_set is 1114112; at most 1048576 items fit into a batch",
               with_batch("65536", "17"));
  expect_error("batch_sets times largest_set is 268435456", with_batch("65536", "4096"));
  expect_error("batch_sets must lie in 1 .. 65536", with_batch("65537", "16"));
  expect_error("L2 form '\\x1b[2Jowned\\x07' is none of", with_l2("\\u001b[2Jowned\\u0007"));
  EXPECT_LT(load_error(with_l2(std::string(100'000, 'x'))).size(), 500u);
}

// Runs from before there was a choice go on with the limit of then.
TEST(Checkpoint, TellsHowManyPointsARunMayTake) {
  const TemporaryFolder folder;
  const auto limit = [&](const std::function<void(Parts&)>& change) {
    Parts parts = small_parts();
    change(parts);
    write_parts(folder / "c", parts);
    const Checkpoint loaded = load_checkpoint(folder / "c");
    save_checkpoint(folder / "again", loaded);
    EXPECT_EQ(load_checkpoint(folder / "again").state.most_item_points,
              loaded.state.most_item_points);
    return loaded.state.most_item_points;
  };
  EXPECT_EQ(limit([](Parts&) {}), 48);
  EXPECT_EQ(limit([](Parts& p) { p.metadata.erase("most_item_points"); }), 32);
  const auto set = [](const std::string& item, const std::string& query, const std::string& most) {
    return [=](Parts& p) {
      p.metadata["item_points"] = item;
      p.metadata["query_points"] = query;
      p.metadata["most_item_points"] = most;
    };
  };
  EXPECT_EQ(limit(set("48", "12", "48")), 48);
  expect_error("'item_points' is 13; expected a multiple of 4", set("13", "12", "48"));
  expect_error("'query_points' is 5; expected a multiple of 4", set("12", "5", "48"));
  expect_error("are 0 and 12; expected both 0 or neither", set("0", "12", "48"));
  expect_error("are 12 and 0; expected both 0 or neither", set("12", "0", "48"));
  expect_error("at most 32 item points", set("40", "12", "32"));
  expect_error("'most_item_points' is 44; expected 32 or 48", set("12", "12", "44"));
  expect_error("'most_item_points' is '400'", set("12", "12", "400"));
}

TEST(Checkpoint, NeverWritesANumberThatItWouldRefuse) {
  const TemporaryFolder folder;
  save_checkpoint(folder / "c", small_checkpoint());
  const std::string before = read_bytes(folder / "c");
  Checkpoint spoilt = small_checkpoint();
  spoilt.state.parameters.values[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(save_checkpoint(folder / "c", spoilt), FileError);
  EXPECT_EQ(read_bytes(folder / "c"), before);
}

TEST(Checkpoint, Behaviour23_RefusesEveryTruncation) {
  const TemporaryFolder folder;
  save_checkpoint(folder / "c", small_checkpoint());
  const std::string good = read_bytes(folder / "c");
  for (std::size_t size = 0; size < good.size(); size += 97) {
    write_bytes(folder / "cut", good.substr(0, size));
    EXPECT_THROW(load_checkpoint(folder / "cut"), FileError) << size;
  }
}

TEST(RecipeJson, RefusesUnknownMissingAndImpossibleFields) {
  const std::string good = recipe_to_json(Recipe{});
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return error_text<std::invalid_argument>([&] { recipe_from_json(text); });
  };
  EXPECT_EQ(recipe_from_json(good), Recipe{});
  EXPECT_TRUE(contains(error("\"l2\":", "\"colour\":1,\"l2\":"), "'colour'"));
  EXPECT_TRUE(contains(error("\"batch_sets\":128", "\"batch\":128"), "'batch_sets' is missing"));
  EXPECT_TRUE(contains(error("128", "-1"), "'batch_sets'"));
  EXPECT_TRUE(contains(error("128", "1.5"), "'batch_sets'"));
  EXPECT_TRUE(contains(error("128", "4294967297"), "'batch_sets'"));
  EXPECT_TRUE(contains(error("half-kernels", "quarter"), "half-all"));
  EXPECT_TRUE(contains(error("\"half-kernels\"", "1"), "'l2'"));
  EXPECT_TRUE(contains(error("\"l2\":", "\"l2\":\"none\",\"l2\":"), "twice"));
  EXPECT_FALSE(error("0.999", "1.5").empty());
  EXPECT_FALSE(error("\"learning_rate\":0.001", "\"learning_rate\":\"fast\"").empty());
  EXPECT_FALSE(error("\"learning_rate\":0.001", "\"learning_rate\":1e999").empty());
  EXPECT_TRUE(contains(error("1e-08", "1e-50"), "adam_epsilon"));
  EXPECT_TRUE(contains(error("1e-08", "1e300"), "adam_epsilon"));
  EXPECT_TRUE(contains(error("\"l2_lambda\":0.001", "\"l2_lambda\":1e-50"), "l2_lambda"));
  EXPECT_EQ(error("\"l2_lambda\":0.001", "\"l2_lambda\":0"), "");
  EXPECT_TRUE(contains(error("0.001,\"adam_beta1\"", "1e-50,\"adam_beta1\""), "learning_rate"));
  EXPECT_TRUE(contains(error("\"batch_sets\":128", "\"batch_sets\":65537"), "1 .. 65536"));
  Recipe large;
  large.batch_sets = 256;
  large.largest_set = 4096;  // together the most items of a batch
  EXPECT_EQ(recipe_from_json(recipe_to_json(large)), large);
  ++large.batch_sets;
  EXPECT_TRUE(
      contains(error_text<std::invalid_argument>([&] { recipe_from_json(recipe_to_json(large)); }),
               "batch_sets times largest_set is 1052672"));
  EXPECT_THROW(recipe_from_json("[]"), std::invalid_argument);
  EXPECT_THROW(recipe_from_json(""), std::invalid_argument);
  EXPECT_THROW(recipe_from_json(std::string(100'000, '[')), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
