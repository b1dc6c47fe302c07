#include "core/figure/surface.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/figure/axis.h"
#include "core/figure/field_image.h"

namespace dispersion {
namespace {

constexpr double kHalfHeight = 0.62;  // of the box, whose floor is [-1, 1] x [-1, 1]
// The corners of the box are sqrt(1 + 1 + 0.62^2) = 1.54 from its centre; with this factor they
// stay in [-1, 1] in every view.
constexpr double kScale = 0.64;
constexpr double kDarkest = 0.78;      // the light on a vertical face
constexpr double kLeastUpright = 0.3;  // projected share of the vertical axis that ticks need
// A floor axis whose texts lie in a direction with x below minus this has them on the left.
constexpr double kSideways = 0.95;

// A point in the box, with coordinates in [-1, 1]; z points up.
struct BoxPoint {
  double x = 0;
  double y = 0;
  double z = 0;
};

class Projection {
 public:
  explicit Projection(SurfaceView view)
      : cos_(std::cos(view.azimuth)),
        sin_(std::sin(view.azimuth)),
        up_(std::cos(view.elevation)),
        tilt_(std::sin(view.elevation)) {}

  SurfacePoint operator()(BoxPoint p) const {
    const double across = p.x * cos_ + p.y * sin_;
    return {kScale * across, -kScale * (kHalfHeight * p.z * up_ + depth(p) * tilt_)};
  }
  // The distance along the view direction, projected to the floor.
  double depth(BoxPoint p) const { return p.y * cos_ - p.x * sin_; }
  // The coordinates of the two sides of the box that are farther away.
  double far_x() const { return sin_ > 0 ? -1 : 1; }
  double far_y() const { return cos_ > 0 ? 1 : -1; }

 private:
  double cos_;
  double sin_;
  double up_;
  double tilt_;
};

SurfacePoint direction(SurfacePoint from, SurfacePoint to) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double length = std::hypot(x, y);
  return length > 0 ? SurfacePoint{x / length, y / length} : SurfacePoint{0, 1};
}

// The indices of at most `most` samples, evenly chosen among those that lie on the axis.
std::vector<std::size_t> chosen_samples(const Axis& axis, const std::vector<double>& samples,
                                        int most) {
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!beyond(axis, samples[i])) seen.push_back(i);
  }
  const std::size_t used = std::min(seen.size(), static_cast<std::size_t>(std::max(2, most)));
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < used; ++i)
    indices.push_back(seen[used == 1 ? 0 : i * (seen.size() - 1) / (used - 1)]);
  return indices;
}

double box_coordinate(const Axis& axis, double value) {
  return 2 * axis_share(axis, value) - 1;
}

// The samples as points in the box; z is NaN where the value is unknown.
struct Mesh {
  std::vector<BoxPoint> points;      // [rows, columns]
  std::vector<std::size_t> samples;  // their indices in the field
  std::size_t rows = 0;
  std::size_t columns = 0;
};

Mesh make_mesh(const FieldPlot& plot, int most_samples) {
  const std::vector<std::size_t> columns = chosen_samples(plot.x, plot.x_value, most_samples);
  const std::vector<std::size_t> rows = chosen_samples(plot.y, plot.y_value, most_samples);
  Mesh mesh{{}, {}, rows.size(), columns.size()};
  for (const std::size_t row : rows) {
    for (const std::size_t column : columns) {
      const std::size_t sample = row * plot.x_value.size() + column;
      const auto value = static_cast<double>(plot.values[sample]);
      mesh.samples.push_back(sample);
      const double height = colour_position(plot.scale, value, plot.low, plot.high);
      mesh.points.push_back({box_coordinate(plot.x, plot.x_value[column]),
                             box_coordinate(plot.y, plot.y_value[row]),
                             height < 0 ? NAN : 2 * height - 1});
    }
  }
  return mesh;
}

// The light on a face, from straight above: the flatter the face, the brighter.
double light_on(const BoxPoint& a, const BoxPoint& b, const BoxPoint& d) {
  const double slope_x = (b.z - a.z) * kHalfHeight / (b.x - a.x);
  const double slope_y = (d.z - a.z) * kHalfHeight / (d.y - a.y);
  const double cosine = 1 / std::sqrt(1 + slope_x * slope_x + slope_y * slope_y);
  return kDarkest + (1 - kDarkest) * cosine;
}

void add_face(const Mesh& mesh, std::size_t row, std::size_t column, const Projection& project,
              Surface& surface) {
  const std::size_t first = row * mesh.columns + column;
  const std::array<std::size_t, 4> places = {first, first + 1, first + mesh.columns + 1,
                                             first + mesh.columns};
  std::array<BoxPoint, 4> corners;
  SurfaceFace face;
  for (std::size_t i = 0; i < places.size(); ++i) {
    corners[i] = mesh.points[places[i]];
    face.sample[i] = mesh.samples[places[i]];
  }
  double sum = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!std::isfinite(corners[i].z)) return;
    face.corner[i] = project(corners[i]);
    sum += (corners[i].z + 1) / 2;
  }
  face.position = sum / 4;
  face.light = light_on(corners[0], corners[1], corners[3]);
  surface.faces.push_back(face);
}

// Far rows and columns come first. For a surface of heights over a plane this sorts all faces from
// back to front.
void add_faces(const Mesh& mesh, const Projection& project, Surface& surface) {
  if (mesh.rows < 2 || mesh.columns < 2) return;
  const bool rows_descend = project.far_y() > 0;
  const bool columns_descend = project.far_x() > 0;
  for (std::size_t i = 0; i + 1 < mesh.rows; ++i) {
    const std::size_t row = rows_descend ? mesh.rows - 2 - i : i;
    for (std::size_t j = 0; j + 1 < mesh.columns; ++j) {
      const std::size_t column = columns_descend ? mesh.columns - 2 - j : j;
      add_face(mesh, row, column, project, surface);
    }
  }
}

void add_walls(const Projection& project, Surface& surface) {
  const double x = project.far_x();
  const double y = project.far_y();
  const auto wall = [&](BoxPoint a, BoxPoint b, BoxPoint c, BoxPoint d) {
    surface.walls.push_back({project(a), project(b), project(c), project(d)});
  };
  wall({-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1});
  wall({x, -1, -1}, {x, 1, -1}, {x, 1, 1}, {x, -1, 1});
  wall({-1, y, -1}, {1, y, -1}, {1, y, 1}, {-1, y, 1});
}

void add_line(const Projection& project, BoxPoint from, BoxPoint to, Surface& surface) {
  surface.grid.push_back({project(from), project(to)});
}

void add_floor_axis(const Projection& project, const Axis& axis, bool along_x, Surface& surface) {
  const double far_x = project.far_x();
  const double far_y = project.far_y();
  const auto place = [&](double along, double other, double z) {
    return along_x ? BoxPoint{along, other, z} : BoxPoint{other, along, z};
  };
  const double far_side = along_x ? far_y : far_x;
  const SurfacePoint away =
      direction(project(place(0, far_side, -1)), project(place(0, -far_side, -1)));
  for (const Tick& tick : axis.ticks) {
    const double at = box_coordinate(axis, tick.value);
    if (!(at >= -1 - 1e-9 && at <= 1 + 1e-9)) continue;
    add_line(project, place(at, -1, -1), place(at, 1, -1), surface);
    add_line(project, place(at, far_side, -1), place(at, far_side, 1), surface);
    surface.ticks.push_back({project(place(at, -far_side, -1)), away, tick.label});
  }
  surface.names.push_back({project(place(0, -far_side, -1)), away, axis.label});
}

// The vertical axis stands at the left one of the two outer edges, or at the right one where the
// texts of a floor axis are on the left.
void add_upright_axis(const FieldPlot& plot, const Projection& project, Surface& surface) {
  const double far_x = project.far_x();
  const double far_y = project.far_y();
  const BoxPoint one = {far_x, -far_y, 0};
  const BoxPoint other = {-far_x, far_y, 0};
  const bool taken = std::ranges::any_of(
      surface.names, [](const SurfaceText& name) { return name.away.x < -kSideways; });
  const BoxPoint edge = (project(one).x < project(other).x) != taken ? one : other;
  const double side = taken ? 1 : -1;
  for (const Tick& tick : scale_ticks(plot.scale, plot.low, plot.high, 7)) {
    const double z = 2 * colour_position(plot.scale, tick.value, plot.low, plot.high) - 1;
    add_line(project, {far_x, -1, z}, {far_x, 1, z}, surface);
    add_line(project, {-1, far_y, z}, {1, far_y, z}, surface);
    // The labels of the floor are at the very bottom.
    if (z > -0.95 && surface.upright)
      surface.ticks.push_back({project({edge.x, edge.y, z}), {side, 0}, tick.label});
  }
  if (!surface.upright) return;
  const SurfaceText name = {project({edge.x, edge.y, 1}), {side * 0.3, -0.95}, scale_label(plot)};
  surface.names.push_back(name);
}

bool has_samples(const FieldPlot& plot) {
  return drawable(plot.x) && drawable(plot.y) && plot.x_value.size() > 1 &&
         plot.y_value.size() > 1 && plot.values.size() == plot.x_value.size() * plot.y_value.size();
}

// Twice the signed area of a triangle.
double area(SurfacePoint a, SurfacePoint b, SurfacePoint c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool in_triangle(SurfacePoint p, SurfacePoint a, SurfacePoint b, SurfacePoint c) {
  const double first = area(a, b, p);
  const double second = area(b, c, p);
  const double third = area(c, a, p);
  return (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
}

bool covers(const SurfaceFace& face, SurfacePoint p) {
  const auto& c = face.corner;
  return in_triangle(p, c[0], c[1], c[2]) || in_triangle(p, c[0], c[2], c[3]);
}

}  // namespace

std::optional<SurfaceSample> sample_at(const Surface& surface, SurfacePoint at) {
  for (std::size_t i = surface.faces.size(); i-- > 0;) {
    const SurfaceFace& face = surface.faces[i];
    if (!covers(face, at)) continue;
    const auto distance = [&](SurfacePoint p) { return std::hypot(p.x - at.x, p.y - at.y); };
    const auto nearest = std::ranges::min_element(face.corner, {}, distance);
    return SurfaceSample{face.sample[static_cast<std::size_t>(nearest - face.corner.begin())],
                         *nearest};
  }
  return std::nullopt;
}

Surface project_surface(const FieldPlot& plot, SurfaceView view, int most_samples) {
  Surface surface;
  if (!has_samples(plot)) return surface;
  surface.upright = std::cos(view.elevation) >= kLeastUpright;
  const Projection project(view);
  add_walls(project, surface);
  add_floor_axis(project, plot.x, true, surface);
  add_floor_axis(project, plot.y, false, surface);
  add_upright_axis(plot, project, surface);
  add_faces(make_mesh(plot, most_samples), project, surface);
  return surface;
}

}  // namespace dispersion
