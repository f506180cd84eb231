"""Meter calls of tools with Tollgate."""

from ._async_resources import AsyncListing
from ._closed import Closed
from ._rejected import RejectedEvent
from ._resources import Listing
from ._version import VERSION as __version__
from .client import AsyncTollgate, Tollgate
from .errors import SpoolError, SpoolFull, TollgateError
from .meter import AsyncMeter, Meter, MeterStats, Recorded

__all__ = [
    "AsyncListing",
    "AsyncMeter",
    "AsyncTollgate",
    "Closed",
    "Listing",
    "Meter",
    "MeterStats",
    "Recorded",
    "RejectedEvent",
    "SpoolError",
    "SpoolFull",
    "Tollgate",
    "TollgateError",
    "__version__",
]
