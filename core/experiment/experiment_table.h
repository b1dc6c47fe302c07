#pragma once

#include <array>

#include "core/experiment/experiment.h"

namespace dispersion {

// The descriptors, each made in a file of its own.
Experiment table_experiment();
Experiment fit_experiment();
Experiment surface_experiment();
Experiment bounds_experiment();
Experiment spread_experiment();
Experiment depth_experiment();
Experiment streaming_experiment();
Experiment precision_experiment();
Experiment dispersion_experiment();
Experiment adaptive_dispersion_experiment();
Experiment entropy_experiment();
Experiment training_experiment();

// In the order of the window's views; a new experiment is a line here, its declaration above, and
// its own files.
inline constexpr std::array kExperiments = {
    table_experiment,      fit_experiment,
    surface_experiment,    bounds_experiment,
    spread_experiment,     depth_experiment,
    streaming_experiment,  precision_experiment,
    dispersion_experiment, adaptive_dispersion_experiment,
    entropy_experiment,    training_experiment,
};

// Parts of descriptors that several have.
inline constexpr double kLargestSeed = 4'294'967'295.0;
inline constexpr double kLargestSize = 1 << 24;  // priorities lie on a grid of 2^-24
Setting sets_setting(int sets, double most, std::string_view help);  // "sets": of every size
Setting set_seed_setting();                                          // "set-seed"
Setting sizes_setting();                                             // "sizes": items per set
Setting transforms_setting(std::vector<AttentionTransform> transforms, std::string_view help);

// Softmax and adaptive temperature, which the paper compares.
std::vector<AttentionTransform> paper_transforms();

// The transforms that are set, plain softmax first, which the others are compared with.
std::vector<AttentionTransform> compared_transforms(const SettingValues& values);

// "1024 of every size, seed 1": for the provenance of figures.
std::string sets_text(const SettingValues& values);

}  // namespace dispersion
