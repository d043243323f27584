#include "properties/tensors.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace etalon {
namespace {

constexpr std::size_t slack = 192;  // sentinel bytes before and after the elements
constexpr std::size_t boundary = 64;

// 0xFFFF... is a NaN in every float format: a subject that reads a gap shows it in its result.
constexpr std::byte sentinel{0xFF};

struct Strides {
  std::array<std::int64_t, max_rank> stride{};
  std::int64_t lowest = 0;  // offset in elements of the lowest element, <= 0
  std::int64_t extent = 0;  // elements from the lowest to one past the highest
};

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw std::length_error("tensor too large");
  return result;
}

Strides lay_out(const Shape& shape, Layout layout) {
  Strides result;
  std::int64_t step = 1;
  const auto place = [&](int axis) {
    result.stride[static_cast<std::size_t>(axis)] = step;
    step = checked_product(step, std::max<std::int64_t>(shape[axis], 1));
    if (layout == Layout::padded && axis == shape.rank - 1) step += 3;
  };
  if (layout == Layout::transposed) {
    for (int axis = 0; axis < shape.rank; ++axis) place(axis);
  } else {
    for (int axis = shape.rank - 1; axis >= 0; --axis) place(axis);
  }
  if (layout == Layout::reversed && shape.rank > 0) result.stride[0] = -result.stride[0];
  if (shape.elements() == 0) return result;
  std::int64_t highest = 0;
  for (int axis = 0; axis < shape.rank; ++axis) {
    const std::int64_t reach = result.stride[static_cast<std::size_t>(axis)] * (shape[axis] - 1);
    (reach < 0 ? result.lowest : highest) += reach;
  }
  result.extent = highest - result.lowest + 1;
  return result;
}

}  // namespace

Shape::Shape(std::initializer_list<std::int64_t> extents) {
  if (extents.size() > static_cast<std::size_t>(max_rank)) throw std::length_error("rank above 3");
  for (const std::int64_t value : extents) {
    if (value < 0) throw std::length_error("negative extent");
    extent[static_cast<std::size_t>(rank++)] = value;
  }
}

std::int64_t Shape::elements() const {
  std::int64_t product = 1;
  for (int axis = 0; axis < rank; ++axis) product = checked_product(product, (*this)[axis]);
  return product;
}

std::byte* element(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) {
  const std::int64_t offset = i * view.stride[0] + j * view.stride[1] + k * view.stride[2];
  return static_cast<std::byte*>(view.data) + offset * static_cast<std::int64_t>(size_of(view.dtype));
}

std::uint64_t load_bits(const std::byte* from, std::size_t size) {
  std::uint64_t bits = 0;
  switch (size) {  // constant sizes, so that each is one load
    case 1:
      std::memcpy(&bits, from, 1);
      break;
    case 2:
      std::memcpy(&bits, from, 2);
      break;
    case 4:
      std::memcpy(&bits, from, 4);
      break;
    default:
      std::memcpy(&bits, from, 8);
      break;
  }
  return bits;
}

void store_bits(std::byte* to, std::uint64_t bits, std::size_t size) {
  switch (size) {
    case 1:
      std::memcpy(to, &bits, 1);
      break;
    case 2:
      std::memcpy(to, &bits, 2);
      break;
    case 4:
      std::memcpy(to, &bits, 4);
      break;
    default:
      std::memcpy(to, &bits, 8);
      break;
  }
}

Tensor::Tensor(Dtype dtype, Shape shape, Layout layout) : layout_(layout) {
  const Strides strides = lay_out(shape, layout);
  const std::size_t size = size_of(dtype);
  memory_ = std::make_shared<std::vector<std::byte>>(
      2 * slack + boundary + size + static_cast<std::size_t>(strides.extent) * size, sentinel);
  const auto start = reinterpret_cast<std::uintptr_t>(memory_->data());
  origin_ = slack + (boundary - (start + slack) % boundary) % boundary;
  if (layout == Layout::unaligned) origin_ += size;
  view_.data = memory_->data() + origin_ + static_cast<std::size_t>(-strides.lowest) * size;
  view_.dtype = dtype;
  view_.shape = shape;
  view_.stride = strides.stride;
  const std::int64_t count = shape.elements();
  for (std::int64_t i = 0; i < count; ++i) std::memset(at(i), 0, size);
}

std::byte* Tensor::at(std::int64_t index) const {
  std::int64_t offset = 0;
  if (layout_ == Layout::dense || layout_ == Layout::unaligned) {
    offset = index;
  } else {
    for (int axis = view_.shape.rank - 1; axis >= 0; --axis) {
      offset += index % view_.shape[axis] * view_.stride[static_cast<std::size_t>(axis)];
      index /= view_.shape[axis];
    }
  }
  return static_cast<std::byte*>(view_.data) + offset * static_cast<std::int64_t>(size_of(view_.dtype));
}

std::uint64_t Tensor::bits(std::int64_t index) const { return load_bits(at(index), size_of(view_.dtype)); }

void Tensor::set_bits(std::int64_t index, std::uint64_t bits) {
  store_bits(at(index), bits, size_of(view_.dtype));
}

double Tensor::value(std::int64_t index) const {
  if (!is_float(view_.dtype)) return static_cast<double>(integer(index));
  return decode(format_of(view_.dtype), bits(index));
}

void Tensor::set(std::int64_t index, double value) { set_bits(index, encode(format_of(view_.dtype), value)); }

std::int64_t Tensor::integer(std::int64_t index) const {
  const std::uint64_t word = bits(index);
  if (view_.dtype == Dtype::i32) return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
  return static_cast<std::int64_t>(word);
}

void Tensor::set_integer(std::int64_t index, std::int64_t value) {
  set_bits(index, static_cast<std::uint64_t>(value));
}

void Tensor::poison(std::byte pattern) {
  const std::int64_t count = elements();
  for (std::int64_t i = 0; i < count; ++i)
    std::memset(at(i), std::to_integer<int>(pattern), size_of(view_.dtype));
}

bool Tensor::poisoned(std::int64_t index, std::byte pattern) const {
  const std::byte* element = at(index);
  return std::all_of(element, element + size_of(view_.dtype), [&](std::byte b) { return b == pattern; });
}

std::optional<std::ptrdiff_t> Tensor::first_damage() const {
  if (!memory_) return std::nullopt;
  const std::byte* const begin = memory_->data();
  const std::byte* const end = begin + memory_->size();
  const auto origin = static_cast<const std::byte*>(view_.data);
  const auto damaged = [](const std::byte* from, const std::byte* to) {
    return std::find_if(from, to, [](std::byte b) { return b != sentinel; });
  };
  const std::size_t size = size_of(view_.dtype);
  const std::int64_t count = elements();
  // Elements in the order of their addresses; what lies between two of them is a gap.
  std::vector<const std::byte*> starts;
  if (layout_ == Layout::dense || layout_ == Layout::unaligned || layout_ == Layout::transposed) {
    if (count > 0) starts.push_back(origin);  // no gaps inside: one run
  } else {
    starts.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) starts.push_back(at(i));
    std::sort(starts.begin(), starts.end());
  }
  const std::size_t run = starts.size() == 1 ? static_cast<std::size_t>(count) * size : size;
  const std::byte* from = begin;
  for (const std::byte* start : starts) {
    if (const auto* hit = damaged(from, start); hit != start) return hit - origin;
    from = start + run;
  }
  if (const auto* hit = damaged(from, end); hit != end) return hit - origin;
  return std::nullopt;
}

Tensor Tensor::clone() const {
  Tensor copy(view_.dtype, view_.shape, layout_);
  const std::int64_t count = elements();
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(copy.at(i), at(i), size_of(view_.dtype));
  return copy;
}

bool Tensor::same_bytes(const Tensor& other) const {
  if (dtype() != other.dtype() || shape() != other.shape()) return false;
  const std::int64_t count = elements();
  const std::size_t size = size_of(view_.dtype);
  if (layout_ == other.layout_ && (layout_ == Layout::dense || layout_ == Layout::unaligned)) {
    return std::memcmp(view_.data, other.view_.data, static_cast<std::size_t>(count) * size) == 0;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    if (std::memcmp(at(i), other.at(i), size) != 0) return false;
  }
  return true;
}

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.rank; ++axis) {
    text += (axis > 0 ? ", " : "") + std::to_string(shape[axis]);
  }
  return text + ")";
}

}  // namespace etalon
