#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/sequence_attention.h"
#include "core/experiment/corollary.h"
#include "core/experiment/depth.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/table_one.h"

namespace dispersion {

// What the user has set for each study, beside the temperature and the rule of the app state. Equal
// settings, equal results.

struct TableStudy {
  int sets = 1024;  // of every size, for every head
  std::vector<AttentionTransform> transforms = table_transforms();
};

struct FitStudy {
  int sets = 128;  // generated at every size
  std::uint32_t seed = 1;
};

struct SurfaceStudy {
  bool of_head = false;  // entropy of the open head over theta and n, not figure 5
  int first_exponent = 1;
  int terms = 10;
  RegionLimits limits;
  double head_lowest_theta = 0.01;
  double head_highest_theta = 10;
  int sets = 32;  // of every size, of the head
};

struct BoundsStudy {
  int sets = 32;
  CorollaryPair pair;
};

struct DepthStudy {
  DepthShape shape;
  std::uint32_t seed = 1;
  TokenPattern pattern = TokenPattern::kFirst;
  DepthOptions options;
};

struct StreamingStudy {
  double scale = 20;
  double offset = 0;
  int block = 256;
  SequenceAttention attention;  // of every length
  bool timed = true;            // how long it took is another number every time
};

struct PrecisionStudy {
  int sets = 256;  // of every size
};

struct StudySettings {
  TableStudy table;
  FitStudy fit;
  SurfaceStudy surface;
  BoundsStudy bounds;
  DepthStudy depth;
  StreamingStudy streaming;
  PrecisionStudy precision;
};

}  // namespace dispersion
