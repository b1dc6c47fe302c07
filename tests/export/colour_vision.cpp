#include "tests/export/colour_vision.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace dispersion {
namespace {

using Triple = std::array<double, 3>;

constexpr Triple kLuminance = {0.2126, 0.7152, 0.0722};

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

Triple linear(Colour colour) {
  return {linear(colour.red), linear(colour.green), linear(colour.blue)};
}

double dot(const Triple& p, const Triple& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

double lab_curve(double t) {
  return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

double cosine(double degrees) {
  return std::cos(radians(degrees));
}

double sine(double degrees) {
  return std::sin(radians(degrees));
}

// sqrt(c^7 / (c^7 + 25^7)), which turns blue and stretches neutral colours.
double seventh(double chroma) {
  const double power = std::pow(chroma, 7);
  return std::sqrt(power / (power + std::pow(25.0, 7)));
}

// In degrees from 0 to 360; 0 for a grey.
double hue(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double angle = std::atan2(b, a) * 180 / std::numbers::pi;
  return angle < 0 ? angle + 360 : angle;
}

// Equations 10 and 14 of the paper: hues on either side of 0 degrees, and greys, which have none.
double hue_step(double from, double to, bool grey) {
  if (grey) return 0;
  const double step = to - from;
  return step > 180 ? step - 360 : step < -180 ? step + 360 : step;
}

double mean_hue(double first, double second, bool grey) {
  const double sum = first + second;
  if (grey) return sum;
  if (std::abs(first - second) <= 180) return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

}  // namespace

const std::array<Eyes, 4> kEyes = {{{"usual eyes", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                                    {"protanopia",
                                     {{{0.152286, 1.052583, -0.204868},
                                       {0.114503, 0.786281, 0.099216},
                                       {-0.003882, -0.048116, 1.051998}}}},
                                    {"deuteranopia",
                                     {{{0.367322, 0.860646, -0.227968},
                                       {0.280085, 0.672501, 0.047413},
                                       {-0.011820, 0.042940, 0.968881}}}},
                                    {"tritanopia",
                                     {{{1.255528, -0.076749, -0.178779},
                                       {-0.078411, 0.930809, 0.147602},
                                       {0.004733, 0.691367, 0.303900}}}}}};

const Eyes kGreyPrint = {"grey print", {{kLuminance, kLuminance, kLuminance}}};

LabColour seen(Colour colour, const Eyes& eyes) {
  const Triple in = linear(colour);
  Triple out = {};
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = std::clamp(dot(eyes.from_linear[i], in), 0.0, 1.0);
  const double x = lab_curve(dot({0.4124, 0.3576, 0.1805}, out) / 0.95047);
  const double y = lab_curve(dot(kLuminance, out));
  const double z = lab_curve(dot({0.0193, 0.1192, 0.9505}, out) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double ciede2000(LabColour first, LabColour second) {
  const double stretch =
      1.5 - 0.5 * seventh((std::hypot(first.a, first.b) + std::hypot(second.a, second.b)) / 2);
  const double a1 = stretch * first.a, a2 = stretch * second.a;
  const double c1 = std::hypot(a1, first.b), c2 = std::hypot(a2, second.b);
  const double h1 = hue(a1, first.b), h2 = hue(a2, second.b);
  const bool grey = c1 * c2 == 0;
  const double l = (first.l + second.l) / 2 - 50, c = (c1 + c2) / 2, h = mean_hue(h1, h2, grey);
  const double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) -
                   0.20 * cosine(4 * h - 63);
  const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
  const double lightness = (second.l - first.l) / (1 + 0.015 * l * l / std::sqrt(20 + l * l));
  const double chroma = (c2 - c1) / (1 + 0.045 * c);
  const double angle =
      2 * std::sqrt(c1 * c2) * sine(hue_step(h1, h2, grey) / 2) / (1 + 0.015 * c * t);
  return std::sqrt(lightness * lightness + chroma * chroma + angle * angle -
                   2 * sine(2 * turn) * seventh(c) * chroma * angle);
}

double difference(Colour first, Colour second, const Eyes& eyes) {
  return ciede2000(seen(first, eyes), seen(second, eyes));
}

double contrast(Colour first, Colour second) {
  const double p = dot(kLuminance, linear(first)), q = dot(kLuminance, linear(second));
  return (std::max(p, q) + 0.05) / (std::min(p, q) + 0.05);
}

}  // namespace dispersion
