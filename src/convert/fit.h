// What follows from the signatures of two versions of an operator, without a rule of its own.
#pragma once

#include <string_view>

#include "convert/step.h"

namespace onnxc::convert {

/// Makes the node fit the signature of its new version: removes attributes that the version lacks if they have their
/// default value, and absent and unused operands. Refuses the node if an attribute, an operand or a type remains that
/// the version lacks.
void Fit(Step* step, std::string_view domain);

}  // namespace onnxc::convert
