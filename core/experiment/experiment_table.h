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

// The table of experiments, in the order of the window's views. A new experiment needs a line here,
// its declaration above, and files of its own.
inline constexpr std::array kExperiments = {
    table_experiment,      fit_experiment,
    surface_experiment,    bounds_experiment,
    spread_experiment,     depth_experiment,
    streaming_experiment,  precision_experiment,
    dispersion_experiment, adaptive_dispersion_experiment,
    entropy_experiment,    training_experiment,
};

// Settings that several experiments have.
inline constexpr double kLargestSeed = 4'294'967'295.0;
// Priorities lie on a grid of 2^-24, so that larger sets would have many equal ones.
inline constexpr double kLargestSize = 1 << 24;
// "sets": how many sets of every size, from 1 to `most`, by default `sets`.
Setting sets_setting(int sets, double most, std::string_view help);
Setting set_seed_setting();  // "set-seed": of the sets that are drawn
Setting sizes_setting();     // "sizes": items per set, by default 16, 32, ..., 16,384
// "transforms": the attention transforms that are compared with softmax.
Setting transforms_setting(std::vector<AttentionTransform> transforms, std::string_view help);

// The two transforms that the paper compares: softmax and adaptive temperature.
std::vector<AttentionTransform> paper_transforms();

// Plain softmax, then the other transforms of the setting "transforms", which are compared with it.
std::vector<AttentionTransform> compared_transforms(const SettingValues& values);

// "1024 of every size, seed 1": for the provenance of figures.
std::string sets_text(const SettingValues& values);

}  // namespace dispersion
