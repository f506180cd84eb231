"""Meter calls of tools with Tollgate."""

from ._async_resources import AsyncListing
from ._resources import Listing
from ._version import VERSION as __version__
from .client import AsyncTollgate, Tollgate
from .errors import TollgateError

__all__ = ["AsyncListing", "AsyncTollgate", "Listing", "Tollgate", "TollgateError", "__version__"]
