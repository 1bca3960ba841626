package dev.keelson.request;

import dev.keelson.api.Verb;
import java.util.Set;

/**
 * The requests that last as long as client and server like: watches, and connections to nodes
 * (source: {@code BasicLongRunningRequestCheck} as kube-apiserver configures it).
 */
public final class LongRunning {

  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private LongRunning() {}

  /** Whether a request is one. */
  public static boolean is(RequestInfo info) {
    return info instanceof RequestInfo.Resource resource
        && (resource.verb() == Verb.WATCH || connects(resource.subresource()));
  }

  /** Whether a subresource is a connection to a node, a pod or a service. */
  public static boolean connects(String subresource) {
    return CONNECTIONS.contains(subresource);
  }
}
