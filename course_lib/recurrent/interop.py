"""torch's recurrent networks as ours."""

import torch
from torch import Tensor, nn

from course_lib.recurrent.network import GRU, LSTM, RNN, Network


def from_torch(module: nn.RNNBase) -> Network:
    """A network that computes what an nn.RNN, nn.LSTM or nn.GRU computes, in eval mode, from copies of its weights.

    torch's matrices are taken as they are. Of its two biases, b_ih + b_hh is our b; in the GRU's candidate the second
    stays separate, as our b_hh. Ours reads (batch, time, input) whatever the module's batch_first.
    Raises ValueError for an nn.RNN of ReLUs and an LSTM with projections, which the course does not have.
    """
    if getattr(module, "nonlinearity", "tanh") != "tanh" or module.proj_size:
        raise ValueError(f"module must be an nn.RNN of tanh, an nn.LSTM without projections or an nn.GRU, got {module}")
    kind, unit = {"RNN_TANH": (RNN, {}), "LSTM": (LSTM, {}), "GRU": (GRU, {"reset": "after"})}[module.mode]
    network = kind(
        module.input_size,
        module.hidden_size,
        module.num_layers,
        bias=module.bias,
        bidirectional=module.bidirectional,
        dropout=module.dropout,
        **unit,
    ).to(module.weight_hh_l0)
    for depth, directions in enumerate(network.layers):
        for layer in directions:
            end = f"l{depth}_reverse" if layer.reverse else f"l{depth}"
            theirs = {name: getattr(module, f"{name}_{end}") for name in ("weight_ih", "weight_hh")}
            parameters = {"W_x": theirs["weight_ih"], "W_h": theirs["weight_hh"]}
            if module.bias:
                parameters |= _biases(getattr(module, f"bias_ih_{end}"), getattr(module, f"bias_hh_{end}"), kind is GRU)
            layer.cell.load_state_dict({name: p.detach() for name, p in parameters.items()})
    return network


def _biases(b_ih: Tensor, b_hh: Tensor, gru: bool) -> dict[str, Tensor]:
    if not gru:
        return {"b": b_ih + b_hh}
    r_and_z, candidate = b_hh.split([2 * len(b_hh) // 3, len(b_hh) // 3])
    return {"b": b_ih + torch.cat([r_and_z, torch.zeros_like(candidate)]), "b_hh": candidate}
