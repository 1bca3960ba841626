package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;

/**
 * The way to what runs on nodes: logs, commands in containers, ports and proxied requests. The
 * object is known to exist where its path names one that is stored.
 */
@FunctionalInterface
interface NodeConnection {

  /** There are no nodes to reach. */
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
   * Answers a request for a log, a command, a port or a proxied path.
   *
   * @throws ApiException if it cannot
   */
  ApiResponse open(ResourceCall call);
}
