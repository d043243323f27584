// Matrix products as libraries compute them. Strassen's and Winograd's fast products are not among them:
// their error is bounded by the norms of the matrices, not entry by entry by sum |a_il b_lj| (Higham, section
// 23.2.2), so that no bound of NUM-8 admits them, and LIN-1 asks for it in every entry.
#include <thread>

#include "properties/honest/narrow_products.hpp"
#include "properties/honest/sums.hpp"

namespace etalon {
namespace {

using namespace honest;

Variant product(std::string_view name, std::string_view does, const std::vector<Dtype>& dtypes,
                const Declare& declare, const Compute& compute) {
  return variant(name, does, {"matmul"}, dtypes, declare, compute);
}

Variant plain(std::string_view name, std::string_view does, const Compute& compute) {
  return product(name, does, float_dtypes(), Model::common, compute);
}

std::vector<Variant> orders() {
  return {
      plain("matmul_sequential", "adds products one after another, beta c last",
            each_sum<Native>(sequential)),
      plain("matmul_reversed", "adds products from the last to the first", each_sum<Native>(reversed)),
      plain("matmul_fused", "uses a fused multiply-add for every term", each_sum<Native>(fused)),
      plain("matmul_pairwise", "adds the sums of two halves, and so on down", each_sum<Native>(pairwise)),
      plain("matmul_blocked", "adds partial sums of 16 terms", each_sum<Native>(tiled<16>)),
      plain("matmul_split", "adds four slices of the sum, each summed alone", each_sum<Native>(split)),
      plain("matmul_8_lanes", "deals terms to 8 lanes and adds these as a tree",
            each_sum<Native>(in_lanes<8>)),
      plain("matmul_16_lanes", "deals terms to 16 lanes and adds these as a tree",
            each_sum<Native>(in_lanes<16>)),
      plain("matmul_shuffled", "adds the terms of every entry in an order of its own",
            each_sum<Native>(shuffled)),
      plain("matmul_ascending", "adds the smallest products first", each_sum<Native>(ascending)),
      plain("matmul_kahan", "takes what an addition loses off the next term", each_sum<Native>(kahan)),
      plain("matmul_neumaier", "adds up what the additions lose, and adds it at the end",
            each_sum<Native>(neumaier)),
      plain("matmul_dot2", "compensates products and sums", each_sum<Native>(dot2)),
  };
}

// 2^11 terms: sums beyond are declined, since one height is declared for all.
constexpr std::int64_t declared_height = 11;

Compute pairwise_up_to_height() {
  return [compute = each_sum<Native>(pairwise)](const Call& call) {
    const bool turned = call.attribute("transpose_a") != 0;
    const std::int64_t k = call.tensor("a").shape[turned ? 0 : 1];
    return k > (std::int64_t{1} << declared_height) ? Status::unsupported : compute(call);
  };
}

constexpr auto alpha_with_a = [](const auto& terms, const auto& factors) {
  auto sum = factors.alpha * 0;
  for (std::int64_t l = 0; l < terms.k; ++l) sum = sum + (factors.alpha * terms.a[l]) * terms.b[l];
  return factors.added(sum);
};

constexpr auto alpha_with_b = [](const auto& terms, const auto& factors) {
  auto sum = factors.alpha * 0;
  for (std::int64_t l = 0; l < terms.k; ++l) sum = sum + terms.a[l] * (factors.alpha * terms.b[l]);
  return factors.added(sum);
};

constexpr auto alpha_with_products = [](const auto& terms, const auto& factors) {
  auto sum = factors.alpha * 0;
  for (std::int64_t l = 0; l < terms.k; ++l) sum = sum + factors.alpha * terms.product(l);
  return factors.added(sum);
};

// a is scaled before, in memory, that is in its own format.
constexpr auto alpha_stored_in_a = [](const auto& terms, const auto& factors) {
  auto sum = factors.alpha * 0;
  for (std::int64_t l = 0; l < terms.k; ++l)
    sum = sum + rounded_to(terms.format, factors.alpha * terms.a[l]) * terms.b[l];
  return factors.added(sum);
};

constexpr auto c_first = [](const auto& terms, const auto& factors) {
  using std::fma;
  auto sum = factors.first();
  for (std::int64_t l = 0; l < terms.k; ++l) sum = fma(factors.alpha * terms.a[l], terms.b[l], sum);
  return sum;
};

// One row of b after another, all of c at once.
constexpr auto outer_products = [](auto& problem) {
  for (std::int64_t l = 0; l < problem.k; ++l) {
    for (std::int64_t i = 0; i < problem.m; ++i) {
      for (std::int64_t j = 0; j < problem.n; ++j) {
        auto& sum = problem.result[static_cast<std::size_t>(i * problem.n + j)];
        sum = sum + terms_of(problem, i, j).product(l);
      }
    }
  }
  const auto finish = [&](const auto& terms, const auto& factors) {
    return factors.applied(problem.result[terms.entry]);
  };
  fill_rows(problem, 0, problem.m, finish);
};

// The loops of the reference BLAS: c <- beta c, then c <- c + (alpha b_lj) a_l, c staying in memory.
constexpr auto column_updates = [](auto& problem) {
  const auto start = [&](const auto& terms, const auto& factors) {
    return rounded_to(terms.format, factors.first());
  };
  fill_rows(problem, 0, problem.m, start);
  for (std::int64_t j = 0; j < problem.n; ++j) {
    for (std::int64_t l = 0; l < problem.k; ++l) {
      for (std::int64_t i = 0; i < problem.m; ++i) {
        const auto terms = terms_of(problem, i, j);
        auto& sum = problem.result[terms.entry];
        sum = rounded_to(problem.format, sum + (problem.alpha * terms.b[l]) * terms.a[l]);
      }
    }
  }
};

constexpr auto by_threads = [](auto& problem) {
  const auto entry = [](const auto& terms, const auto& factors) { return factors.applied(fused(terms)); };
  constexpr std::int64_t workers = 3;
  std::vector<std::thread> others;
  for (std::int64_t w = 1; w < workers; ++w) {
    others.emplace_back(
        [&, w] { fill_rows(problem, problem.m * w / workers, problem.m * (w + 1) / workers, entry); });
  }
  fill_rows(problem, 0, problem.m / workers, entry);
  for (std::thread& other : others) other.join();
};

std::vector<Variant> factors_and_loops() {
  const auto height = common_but([](Model& model, Dtype) { model.height = declared_height; });
  const auto own_operands = common_but([](Model& model, Dtype dtype) { model.product_input = dtype; });
  return {
      product("matmul_height", "adds halves, and declares how deep", float_dtypes(), height,
              pairwise_up_to_height()),
      plain("matmul_alpha_with_a", "multiplies alpha into a before it sums",
            each_entry<Native>(alpha_with_a)),
      plain("matmul_alpha_with_b", "multiplies alpha into b before it sums",
            each_entry<Native>(alpha_with_b)),
      plain("matmul_alpha_with_products", "multiplies every product by alpha",
            each_entry<Native>(alpha_with_products)),
      product("matmul_alpha_stored", "multiplies alpha into a and rounds that to a's format", half_formats(),
              own_operands, each_entry<Native>(alpha_stored_in_a)),
      plain("matmul_c_first", "starts every sum with beta c", each_entry<Native>(c_first)),
      plain("matmul_outer_products", "adds one column times one row after another",
            whole_product<Native>(outer_products)),
      product("matmul_column_updates", "updates c in memory for every term", float_dtypes(), storing(),
              whole_product<Native>(column_updates)),
      product("matmul_tiles_stored", "keeps the running sum in c's format between tiles of 8 terms",
              half_formats(), storing(), each_sum<Native>(tiled_and_stored<8>)),
      plain("matmul_threads", "shares out the rows among three threads", whole_product<Native>(by_threads)),
  };
}

// f32 operands rounded to a format on their way into the product.
Compute with_rounded_operands(const Format& format) {
  return each_sum<InFloat>([format](const Terms<float>& terms) { return sum_of_rounded(terms, format); });
}

std::vector<Variant> formats() {
  const auto operands_in = [](Dtype format) {
    return common_but([format](Model& model, Dtype) { model.product_input = format; });
  };
  return {
      product("matmul_in_f64", "computes in binary64, rounds at the end", up_to_f32(),
              computes_in(Dtype::f64), each_sum<InDouble>(sequential)),
      product("matmul_in_f32", "computes products of f64 operands in f32", {Dtype::f64},
              computes_in(Dtype::f32), each_sum<InFloat>(sequential)),
      product("matmul_in_bf16", "rounds operands, every product and every sum to bf16", up_to_f32(),
              computes_in(Dtype::bf16), each_sum<InBf16>(sequential)),
      product("matmul_in_f16", "rounds operands, every product and every sum to f16", up_to_f32(),
              computes_in(Dtype::f16), each_sum<InF16>(sequential)),
      product("matmul_fused_in_f16", "uses fused multiply-adds of f16", up_to_f32(), computes_in(Dtype::f16),
              each_sum<InF16>(fused)),
      product("matmul_bf16_operands", "rounds f32 operands to bf16", {Dtype::f32}, operands_in(Dtype::bf16),
              with_rounded_operands(format_of(Dtype::bf16))),
      product("matmul_f16_operands", "rounds f32 operands to f16", {Dtype::f32}, operands_in(Dtype::f16),
              with_rounded_operands(format_of(Dtype::f16))),
      // A model names no format of 11 bits with the range of f32; bf16 promises less, so it is no boast.
      product("matmul_tf32_operands", "rounds f32 operands to TensorFloat-32", {Dtype::f32},
              operands_in(Dtype::bf16), with_rounded_operands(tf32)),
      product("matmul_bf16_three_products", "multiplies in bf16 pieces, three products a term", {Dtype::f32},
              operands_in(Dtype::bf16), each_sum<InFloat>(bf16_three)),
      product("matmul_bf16_nine_products", "multiplies in bf16 pieces, nine products a term", {Dtype::f32},
              truncating(), each_sum<InFloat>(bf16_nine)),
      product("matmul_tensor_core", "aligns four products and the sum, and cuts what is below",
              half_formats(), truncating(), each_sum<InFloat>(tensor_core)),
      product("matmul_flushing", "takes subnormal operands and results for zero", float_dtypes(), flushing(),
              each_sum<Flushing>(sequential)),
      product("matmul_truncating", "cuts every product and every sum", float_dtypes(), truncating(),
              each_sum<Truncating>(sequential)),
  };
}

}  // namespace

std::vector<Variant> linear_variants() {
  std::vector<Variant> all;
  for (const auto group : {orders, factors_and_loops, formats}) {
    for (Variant& each : group()) all.push_back(std::move(each));
  }
  return all;
}

}  // namespace etalon
