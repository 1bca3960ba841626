package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;

/**
 * Connects to kubelets: log, exec, attach, portforward and proxy. The object of the path exists if
 * its type is stored.
 */
@FunctionalInterface
interface NodeConnection {

  /** Rejects every request: no nodes are reachable. */
  NodeConnection NONE =
      call -> {
        throw new ApiException(
            Reason.NOT_IMPLEMENTED,
            "this server has no connection to nodes, which "
                + call.definition().groupResource()
                + "/"
                + call.info().subresource()
                + " needs",
            ErrorDetails.of(call.definition().groupResource(), call.info().name()),
            null);
      };

  /**
   * Handles a connect request.
   *
   * @throws ApiException if it fails
   */
  ApiResponse open(ResourceCall call);
}
