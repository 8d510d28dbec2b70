#pragma once

// Includes everything: designs, losses, objectives, solvers, certificates and a LIBSVM reader.

#include "regiht/certificate/certificate.hpp"
#include "regiht/design/column_major.hpp"
#include "regiht/design/csc.hpp"
#include "regiht/design/csr.hpp"
#include "regiht/design/row_major.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/io/libsvm.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/model/make_objective.hpp"
#include "regiht/solver/solve.hpp"
#include "regiht/version.hpp"
