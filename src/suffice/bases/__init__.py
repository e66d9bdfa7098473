"""φ(x): fixed functions of the inputs. A basis is a value; bases add with `+`.

A basis is called on a table and returns its columns, without a constant one. The protocol that
models rely on (`suffice.bases._base.Basis`):

- `resolve(X)`: the same basis with everything that depends on data filled in;
- `names(features)`, `owners(n_features)`: what each column is called and which inputs it needs;
- `frame(X)`, `design(X, frame)`, `transfer(old, new, n_features)`: columns evaluated about a
  convenient origin and unit, and the affine map between two such choices. A basis whose columns need
  no such device inherits the trivial answers.
"""

from suffice.bases._base import Basis, BasisSum
from suffice.bases.custom import CustomBasis
from suffice.bases.fourier import FourierBasis
from suffice.bases.gaussian import GaussianBasis
from suffice.bases.interactions import Interactions
from suffice.bases.polynomial import Polynomial
from suffice.bases.search import BasisSearch, search_basis
from suffice.bases.sigmoid import SigmoidBasis, TanhBasis, sigmoid_to_tanh, tanh_to_sigmoid
from suffice.bases.spline import SplineBasis
from suffice.bases.wavelet import WaveletBasis

__all__ = [
    "Basis",
    "BasisSearch",
    "BasisSum",
    "CustomBasis",
    "FourierBasis",
    "GaussianBasis",
    "Interactions",
    "Polynomial",
    "SigmoidBasis",
    "SplineBasis",
    "TanhBasis",
    "WaveletBasis",
    "search_basis",
    "sigmoid_to_tanh",
    "tanh_to_sigmoid",
]
