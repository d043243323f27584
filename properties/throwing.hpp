// What a definition must refuse, as a law asks for it.
#pragma once

namespace etalon {

// Whether the action throws that exception. Any other exception passes through.
template <typename Exception, typename Action>
bool throws(const Action& action) {
  try {
    action();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

}  // namespace etalon
