// Where the running program lies: its companions and its data are found from there.
#pragma once

#include <filesystem>

namespace etalon {

// The folder of the executable file; the working folder where the system does not tell.
std::filesystem::path program_directory();

}  // namespace etalon
