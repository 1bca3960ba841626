package dev.keelson.http.verb;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestInfo;

/**
 * Connects to kubelets, pods and services: the subresources log, exec, attach, portforward and
 * proxy.
 */
@FunctionalInterface
public interface NodeConnection {

  /**
   * A request that admission has let pass.
   *
   * @param info what it is for
   * @param options the options object of a connection, for example PodExecOptions; empty of {@code
   *     pods/log}, whose options are the query
   */
  record Connect(Exchange exchange, RequestInfo.Resource info, MapNode options) {}

  /**
   * Handles a connect request.
   *
   * @throws dev.keelson.api.ApiException if it fails
   */
  ApiResponse open(Connect connect);
}
