// TEN: tensors as they cross an interface: data, shape, strides in elements, dtype.
// `View` is the non-owning description; `Tensor` owns memory laid out as asked for, with sentinel
// bytes before, after and in every gap, so that a write outside the elements shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/numerics.hpp"

namespace etalon {

inline constexpr int max_rank = 3;

struct Shape {
  int rank = 0;
  std::array<std::int64_t, max_rank> extent{};

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);
  std::int64_t operator[](int axis) const { return extent[static_cast<std::size_t>(axis)]; }
  std::int64_t elements() const;  // product of the extents; 1 for rank 0
  bool operator==(const Shape&) const = default;
};

// Strides are in elements and may be 0 or negative; `data` is the element with every index 0.
struct View {
  void* data = nullptr;
  Dtype dtype = Dtype::f32;
  Shape shape;
  std::array<std::int64_t, max_rank> stride{};
};

// Address of an element of a view. Precondition: 0 <= i < shape[0], and so on.
std::byte* element(const View& view, std::int64_t i = 0, std::int64_t j = 0, std::int64_t k = 0);
// Bits of `size` bytes in memory, zero-extended, and back. Hosts are little-endian.
std::uint64_t load_bits(const std::byte* from, std::size_t size);
void store_bits(std::byte* to, std::uint64_t bits, std::size_t size);

// How a tensor lies in memory (TEN). Everything but `dense` is a legal view that a subject must
// either honour or answer with UNSUPPORTED.
enum class Layout : int {
  dense,       // row order, no gaps
  padded,      // rows wider than the matrix: a leading dimension of columns + 3
  transposed,  // column order: the last axis has the larger stride
  reversed,    // rows from the last to the first: a negative stride
  unaligned,   // dense, but starting one element past any 64-byte boundary
};
inline constexpr int layout_count = 5;

class Tensor {
 public:
  Tensor() = default;
  Tensor(Dtype dtype, Shape shape, Layout layout = Layout::dense);

  const View& view() const { return view_; }
  const Shape& shape() const { return view_.shape; }
  Dtype dtype() const { return view_.dtype; }
  std::int64_t elements() const { return view_.shape.elements(); }
  Layout layout() const { return layout_; }

  // Elements by logical index in row order, whatever the layout. Bits are zero-extended.
  std::uint64_t bits(std::int64_t index) const;
  void set_bits(std::int64_t index, std::uint64_t bits);
  double value(std::int64_t index) const;          // float dtypes: exact; integers: converted
  void set(std::int64_t index, double value);      // float dtypes: rounded to nearest even
  std::int64_t integer(std::int64_t index) const;  // i32, i64, u8
  void set_integer(std::int64_t index, std::int64_t value);

  // Fills every element with a byte pattern, to show elements left unwritten. Two different patterns
  // tell an unwritten element from one that happens to hold the pattern.
  void poison(std::byte pattern = first_poison);
  bool poisoned(std::int64_t index, std::byte pattern = first_poison) const;
  static constexpr std::byte first_poison{0xA5};
  static constexpr std::byte second_poison{0x5B};
  // Gaps and slack hold sentinel bytes that read as NaN in every float format, so that a subject
  // which reads a gap shows it. Byte offset, relative to the element with every index 0 (it may be
  // negative), of the first sentinel that was changed.
  std::optional<std::ptrdiff_t> first_damage() const;
  Tensor clone() const;                        // same layout, same bytes
  bool same_bytes(const Tensor& other) const;  // every element; layouts may differ

 private:
  std::byte* at(std::int64_t index) const;
  View view_;
  Layout layout_ = Layout::dense;
  std::shared_ptr<std::vector<std::byte>> memory_;
  std::size_t origin_ = 0;  // offset of the lowest element in memory_
};

// "(3, 5)" and "(0)" — for messages.
std::string to_string(const Shape& shape);

}  // namespace etalon
