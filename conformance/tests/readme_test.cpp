// The README is what a newcomer trusts first: its backend compiles without a warning and passes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "spec/tests/scratch.hpp"

namespace etalon {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The lines between ```c and ```.
std::string first_c_block(const std::string& page) {
  const std::size_t start = page.find("```c\n");
  if (start == std::string::npos) return "";
  return page.substr(start + 5, page.find("```", start + 5) - start - 5);
}

class Readme : public testing::Test {
 protected:
  int judge(const std::string& source) {
    std::ofstream(folder_ / "mine.c") << source;
    const std::string folder = folder_.path().string();
    const std::string compile = std::string(ETALON_CC) + " -O2 -Wall -Wextra -Werror -shared -fPIC -I " +
                                ETALON_ROOT + "/conformance/include " + folder + "/mine.c -o " + folder +
                                "/mine.so -lm";
    if (std::system(compile.c_str()) != 0) return -1;
    const std::string check = std::string(ETALON_PROGRAM) + " check --level smoke --backend " + folder +
                              "/mine.so > " + folder + "/report 2>&1";
    return WEXITSTATUS(std::system(check.c_str()));
  }

  Scratch folder_;
  std::string source_ = first_c_block(text_of(std::filesystem::path(ETALON_ROOT) / "README.md"));
};

TEST_F(Readme, ItsBackendPasses) {
  ASSERT_NE(source_.find("etalon_backend"), std::string::npos);
  EXPECT_EQ(judge(source_), 0) << text_of(folder_ / "report");
}

TEST_F(Readme, ItsBackendWithOneFaultFails) {
  const std::size_t pairing = source_.find("j - j % 2");
  ASSERT_NE(pairing, std::string::npos);
  EXPECT_EQ(judge(source_.replace(pairing, 9, "j")), 1);  // a frequency for every column
}

}  // namespace
}  // namespace etalon
