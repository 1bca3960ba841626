package dev.keelson.http.node;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.Delegation;
import dev.keelson.request.LongRunning;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests that go to nodes, pods and services by their paths, before their bodies are
 * read.
 *
 * @param resources the end of the chain for resources
 */
public record NodeDelegation(RequestHandler resources) implements Delegation {

  private static final String CORE = "/api/v1/";
  private static final String NAMESPACES = "namespaces/";
  private static final String NODES = "nodes/";
  private static final String PODS = "pods/";
  private static final String SERVICES = "services/";

  @Override
  public @Nullable Passage passage(ApiRequest head, HttpServerRequest request, Context context) {
    return connects(head.path()) ? new NodePassage(resources, request, context) : null;
  }

  /** Whether a path has one of the subresources; without an allocation for other paths. */
  static boolean connects(String path) {
    if (!path.startsWith(CORE)) {
      return false;
    }
    int at = CORE.length();
    if (path.startsWith(NODES, at)) {
      return isConnection(path, at + NODES.length());
    }
    if (!path.startsWith(NAMESPACES, at)) {
      return false;
    }
    int slash = path.indexOf('/', at + NAMESPACES.length());
    if (slash < 0) {
      return false;
    }
    if (path.startsWith(PODS, slash + 1)) {
      return isConnection(path, slash + 1 + PODS.length());
    }
    return path.startsWith(SERVICES, slash + 1)
        && isConnection(path, slash + 1 + SERVICES.length());
  }

  /** Whether a subresource follows the name at {@code from}. */
  private static boolean isConnection(String path, int from) {
    int slash = path.indexOf('/', from);
    if (slash <= from || slash + 1 == path.length()) {
      return false;
    }
    int end = path.indexOf('/', slash + 1);
    return LongRunning.connects(path.substring(slash + 1, end < 0 ? path.length() : end));
  }
}
